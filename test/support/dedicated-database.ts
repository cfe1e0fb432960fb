/** A MongoDB or Redis server for one test, on a fixed port, which can be killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { listenOnUnusedPort } from './unused-port.ts';
import { waitUntil } from './wait-until.ts';

interface DatabaseKind {
  title: string;
  sources(cache: string): unknown[];
  args(at: { port: number; folder: string; log: string; cacheGb?: number }): string[];
  uri(port: number): string;
  prepare?(port: number): Promise<unknown>;
}

/** Imports a module of scripts/set-up, which has no types. */
const setUp = (file: string) => import(new URL(`../../scripts/set-up/${file}`, import.meta.url).href);

/** Finds MongoDB or Redis as `npm start` does. */
export const findDatabase = async (name: 'mongodb' | 'redis'): Promise<{ kind: DatabaseKind; program: string }> => {
  const [{ [name]: kind }, { findProgram }, { cacheDir }] = await Promise.all(
    [`${name}.mjs`, 'find-program.mjs', 'paths.mjs'].map(setUp),
  );
  const sources = kind.sources(cacheDir(process.env, config.DATA_DIR));
  const { file } = await findProgram({ ...kind, name: kind.title, sources }, () => {});
  return { kind, program: file };
};

/** Not ephemeral: the system could give an ephemeral port to another program while the database is down. */
const PORTS = { from: 20_000, count: 12_000 };

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** A free port below the ephemeral ports. */
export const aFreePort = async (): Promise<number> => {
  const server = createServer();
  try {
    const port = await listenOnUnusedPort(server, { port: PORTS.from + Math.floor(Math.random() * PORTS.count) });
    await new Promise((closed) => server.close(closed));
    return port;
  } catch (error) {
    if (isTaken(error)) return aFreePort();
    throw error;
  }
};

const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const waitForPort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });

interface DatabaseOptions {
  /** By default a free port. */
  port?: number;
  /** Additional command-line arguments. */
  more?: string[];
  /** The size of MongoDB's cache, in GB. */
  cacheGb?: number;
  /** Whether the database joins others later. MongoDB then does not become a replica set of its own. */
  isMember?: boolean;
}

/** Starts a database with its data in `folder`. Throws if it exits immediately. */
export const aDedicatedDatabase = async (
  name: 'mongodb' | 'redis',
  folder: string,
  { port: givenPort, more = [], cacheGb, isMember = false }: DatabaseOptions = {},
) => {
  await mkdir(folder, { recursive: true });
  const { kind, program } = await findDatabase(name);
  const port = givenPort ?? (await aFreePort());
  const log = join(folder, 'log');
  const args = [...kind.args({ port, folder, log, cacheGb }), ...more];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(program, args, { stdio: 'ignore' });
    await waitUntil(() => child.exitCode !== null || waitForPort(port), 60);
    if (child.exitCode !== null) throw new Error(`${kind.title} exited: ${(await readFile(log, 'utf8')).slice(-2000)}`);
    if (!isMember) await kind.prepare?.(port);
    return child;
  };
  let running = await start();
  return {
    url: kind.uri(port),
    port,
    kill: () => stopProcess(running),
    /** Sends a signal: SIGSTOP pauses the database, and SIGCONT resumes it. */
    signal: (signal: NodeJS.Signals) => void running.kill(signal),
    /** Starts the killed database again, with the same port and data. */
    restart: async (): Promise<void> => {
      running = await start();
    },
  };
};
