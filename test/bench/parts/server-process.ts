import { fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Starts a server in a separate process and discards its log. `file` is absolute, or relative to test/bench. */
export const startServer = async (file: string, settings: Record<string, string> = {}, args: string[] = []) => {
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', PORT: '0', ...settings };
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(path.resolve(import.meta.dirname, '..', file), args, { env, stdio });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, pid: child.pid as number, url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
};

/** A server in a separate process. */
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;
