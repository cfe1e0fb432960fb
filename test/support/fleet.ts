/** The system as processes of its own: API and workers on a database, a Redis and a folder that no other test touches. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { prepareDatabase } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { connectMongo, disconnectMongo } from '#shared/mongo.ts';
import { anOwnRedis } from './own-redis.ts';

/** Work of a killed worker is taken over within seconds. */
const QUICK = { LEASE_SECONDS: '4', SWEEP_SECONDS: '2', SLICE_SECONDS: '1', PORT: '0', LOG_LEVEL: 'warn' };
const LOG_KEPT = 20_000;

/** One process of the fleet. */
export interface Member {
  pid: number;
  /** Where it listens; an API alone does. */
  url: string;
  /** The end of what it said. */
  output(): string;
  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it; its exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const listen = (child: ChildProcess) => {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      text = (text + data).slice(-LOG_KEPT);
    });
  return () => text;
};

const launch = async (entry: string, env: NodeJS.ProcessEnv, args: string[] = []): Promise<Member> => {
  const child = fork(new URL(`../../${entry}`, import.meta.url), args, { env, silent: true });
  const output = listen(child);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const failed = exited.then((code): never => {
    throw new Error(`${entry} ended with ${code} before it was ready: ${output()}`);
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

const uriOf = (database: string): string => {
  const uri = new URL(config.MONGODB_URI);
  uri.pathname = `/${database}`;
  return uri.href;
};

/** Lets the models of this process look into the fleet's database. */
const lookInto = async (dbName: string): Promise<void> => {
  await disconnectMongo();
  await connectMongo({ dbName, monitorCommands: true });
  await prepareDatabase();
};

const lookBack = async (): Promise<void> => {
  await mongoose.connection.dropDatabase();
  await disconnectMongo();
  await connectMongo({ monitorCommands: true });
};

let made = 0;

/** A fleet without members yet. Until it is closed, the models of this process read its database. */
export const aFleet = async (settings: Record<string, string> = {}) => {
  made += 1;
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const redis = await anOwnRedis(join(folder, 'redis'));
  const database = `fleet_${process.pid}_${made}`;
  const places = { MONGODB_URI: uriOf(database), REDIS_URL: redis.url, DATA_DIR: join(folder, 'data') };
  const env = { ...process.env, EMBEDDING_MODEL_FILE: 'off', ...QUICK, ...places, ...settings };
  await lookInto(database);
  const members = new Set<Member>();
  const start = async (entry: string, args: string[]): Promise<Member> => {
    const member = await launch(entry, env, args);
    members.add(member);
    return member;
  };
  return {
    /** `DATA_DIR` of its members. */
    dataDir: places.DATA_DIR,
    redis: redis.client,
    /** Ends its Redis with -9 and starts it again. */
    killRedis: async () => {
      await redis.kill();
      await redis.restart();
    },
    worker: (...args: string[]) => start('workers/main.ts', args),
    api: () => start('api/main.ts', []),
    /** Ends every member and forgets all they knew. */
    close: async () => {
      await Promise.all([...members].map((member) => member.end()));
      await redis.close();
      await lookBack();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** A fleet. */
export type Fleet = Awaited<ReturnType<typeof aFleet>>;
