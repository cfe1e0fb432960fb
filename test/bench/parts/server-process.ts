import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server as a process of its own, whose log goes nowhere; `file` as seen from the benches. */
export const startServer = async (file: string) => {
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', PORT: '0' };
  const child = fork(new URL(`../${file}`, import.meta.url), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
};
