/** A Redis of a test's own, found as the set-up finds it: to be flushed, stopped and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { listenFresh } from './fresh-port.ts';

interface Kind {
  title: string;
  sources(cache: string): unknown[];
  args(at: { port: number; folder: string; log: string }): string[];
}

/** The set-up is JavaScript without types. */
const setUp = (file: string) => import(new URL(`../../scripts/set-up/${file}`, import.meta.url).href);

const find = async (): Promise<{ kind: Kind; program: string }> => {
  const [{ redis: kind }, { findProgram }, { cacheDir }] = await Promise.all(
    ['redis.mjs', 'program.mjs', 'paths.mjs'].map(setUp),
  );
  const sources = kind.sources(cacheDir(process.env, config.DATA_DIR));
  const { file } = await findProgram({ ...kind, name: kind.title, sources }, () => {});
  return { kind, program: file };
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listenFresh(server);
  await new Promise((closed) => server.close(closed));
  return port;
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Starts one in `folder`, with an append-only file and nothing evicted. */
export const anOwnRedis = async (folder: string) => {
  await mkdir(folder, { recursive: true });
  const { kind, program } = await find();
  const port = await freePort();
  const child = spawn(program, kind.args({ port, folder, log: join(folder, 'redis.log') }), { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // not up yet; the ping waits
  await client.ping();
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    close: async () => {
      client.disconnect();
      await end(child);
    },
  };
};
