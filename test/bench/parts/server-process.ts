import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a server in a separate process and discards its log. `file` is relative to test/bench. */
export const startServer = async (file: string) => {
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', PORT: '0' };
  const child = fork(new URL(`../${file}`, import.meta.url), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
};
