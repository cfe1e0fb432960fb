/**
 * A fleet: an API and workers in separate processes, with a database, a Redis and a data folder that no other test
 * uses.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { aDedicatedRedis } from './dedicated-redis.ts';
import { useFleetDatabase } from './fleet-database.ts';
import { aTemporaryFolder } from './temporary-folder.ts';

/** Settings with which another worker takes over the work of a killed worker within seconds. */
const SHORT_INTERVALS = {
  LEASE_SECONDS: '4',
  SWEEP_INTERVAL_SECONDS: '2',
  JOB_TIME_SLICE_SECONDS: '1',
  PORT: '0',
  LOG_LEVEL: 'warn',
};
const MAX_OUTPUT_CHARACTERS = 20_000;

export interface FleetProcess {
  pid: number;
  /** The URL of an API; workers have none. */
  url: string;
  /** The last 20,000 characters of its output. */
  output(): string;
  /** Sends a signal and does not wait for the process to exit. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal (SIGKILL by default), waits for the exit and returns its code; null if the signal killed it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const captureOutput = (child: ChildProcess) => {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      text = (text + data).slice(-MAX_OUTPUT_CHARACTERS);
    });
  return () => text;
};

/** The folder of this version's code. */
const ROOT = new URL('../../', import.meta.url);

interface ProcessStart {
  entry: string;
  args?: string[];
  /** The folder of the code; `ROOT` by default. */
  root?: URL;
}

const startProcess = async (
  env: NodeJS.ProcessEnv,
  { entry, args = [], root = ROOT }: ProcessStart,
): Promise<FleetProcess> => {
  const child = fork(new URL(entry, root), args, { env, silent: true });
  const output = captureOutput(child);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const failed = exited.then((code): never => {
    throw new Error(`${entry} exited with ${code} before it was ready: ${output()}`);
  });
  const ready = once(child, 'message').then(([message]) => message as { port?: number });
  const { port } = await Promise.race([ready, failed]);
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    output,
    signal: (signal) => void child.kill(signal),
    end: (signal = 'SIGKILL') => {
      child.kill(signal);
      return exited;
    },
  };
};

/** A command of `npm run cli`. */
export interface FleetCommand {
  /** The last 20,000 characters of its output. */
  output(): string;
  /** Its exit code; null if a signal killed it. */
  exited: Promise<number | null>;
  kill(): void;
}

const startCommand = (env: NodeJS.ProcessEnv, args: string[]): FleetCommand => {
  const child = spawn(process.execPath, ['scripts/cli.ts', ...args], { env });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { output: captureOutput(child), exited, kill: () => void child.kill('SIGKILL') };
};

/**
 * Creates a fleet on a running Redis, at first without processes. Until the fleet is closed, the models of this process
 * use the fleet's database.
 */
export const aFleetOn = async (REDIS_URL: string, settings: Record<string, string> = {}) => {
  const folder = await aTemporaryFolder('fleet-');
  const database = await useFleetDatabase();
  const services = { MONGODB_URI: database.uri, REDIS_URL, DATA_DIR: join(folder, 'data') };
  await mkdir(services.DATA_DIR);
  const env = { ...process.env, EMBEDDING_MODEL_FILE: 'off', ...SHORT_INTERVALS, ...services, ...settings };
  const members = new Set<FleetProcess>();
  const start = async (process: ProcessStart): Promise<FleetProcess> => {
    const member = await startProcess(env, process);
    members.add(member);
    return member;
  };
  return {
    /** `DATA_DIR` of the fleet's processes. */
    dataDir: services.DATA_DIR,
    worker: (...args: string[]) => start({ entry: 'workers/main.ts', args }),
    api: () => start({ entry: 'api/main.ts' }),
    /** Starts processes of another version, whose code is in the folder `root`. */
    of: (root: URL) => ({
      worker: () => start({ entry: 'workers/main.ts', root }),
      api: () => start({ entry: 'api/main.ts', root }),
    }),
    /** Starts a command of `npm run cli`. */
    cli: (...args: string[]) => startCommand(env, args),
    /** Kills all APIs and workers, and deletes their data. */
    close: async () => {
      await Promise.all([...members].map((member) => member.end()));
      await database.leave();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** Creates a fleet with a Redis server of its own. */
export const aFleet = async (settings: Record<string, string> = {}) => {
  const folder = await aTemporaryFolder('fleet-redis-');
  const redis = await aDedicatedRedis(folder);
  const fleet = await aFleetOn(redis.url, settings);
  return {
    ...fleet,
    redis: redis.client,
    /** Kills the fleet's Redis server with SIGKILL, and starts it again. */
    killRedis: async () => {
      await redis.kill();
      await redis.restart();
    },
    /** Functions that kill, restart and signal the fleet's Redis server. */
    redisService: { kill: redis.kill, restart: redis.restart, signal: redis.signal },
    close: async () => {
      await fleet.close();
      await redis.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

export type Fleet = Awaited<ReturnType<typeof aFleet>>;
