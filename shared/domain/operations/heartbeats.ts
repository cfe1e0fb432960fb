/** Heartbeats: every API and worker process records every few seconds that it is alive, and what it is working on. */
import { hostname } from 'node:os';
import { ulid } from 'ulid';
import packageJson from '../../../package.json' with { type: 'json' };
import { config } from '../../config.ts';
import { logger } from '../../logger.ts';
import { ProcessHeartbeat } from '../../models/process-heartbeat.ts';
import { currentTime } from '../../time/clock.ts';

const INTERVAL_MS = 5000;
/** A process that has recorded no heartbeat for this long was killed, is hanging, or cannot reach MongoDB. */
const LOST_AFTER_MS = 20_000;
const MAX_RUNNING = 50;
/** A lost heartbeat is harmless, because the next one follows. */
const WEAK_WRITE = { upsert: true, updatePipeline: true, writeConcern: { w: 1, j: false } } as const;

/** A job that a worker is running. */
export interface RunningJob {
  job: string;
  id_project?: string;
  since: Date;
}

/** What a process reports about itself. */
export interface ProcessDescription {
  kind: 'api' | 'worker';
  port?: number;
  queues?: string[];
  /** Returns the jobs that are running now, oldest first. */
  running?: () => RunningJob[];
}

export const processVersion = config.APP_VERSION ?? packageJson.version;

const identity = { host: hostname(), pid: process.pid, version: processVersion };

const beat = async (_id: string, fields: object): Promise<void> => {
  const literals = Object.entries(fields).map(([name, value]) => [name, { $literal: value }]);
  await ProcessHeartbeat.updateOne({ _id }, [{ $set: { ...Object.fromEntries(literals), at: '$$NOW' } }], WEAK_WRITE);
};

/**
 * Records a heartbeat now and every five seconds. Returns a function that stops the heartbeats and removes the record.
 */
export const startHeartbeat = (description: ProcessDescription): (() => Promise<void>) => {
  const { kind, port, queues = [], running = () => [] } = description;
  const id = ulid();
  const startedAt = currentTime();
  let expectedAt = performance.now();
  let pending = Promise.resolve();
  const record = (): void => {
    const lateMs = Math.max(0, Math.round(performance.now() - expectedAt));
    expectedAt = performance.now() + INTERVAL_MS;
    const memoryBytes = process.memoryUsage.rss();
    const fields = { kind, ...identity, startedAt, clock: new Date(), lateMs, memoryBytes, queues };
    pending = beat(id, { ...fields, ...(port ? { port } : {}), running: running().slice(0, MAX_RUNNING) }).catch(
      (error: Error) => logger.debug({ err: error.message }, 'heartbeat not recorded'),
    );
  };
  record();
  const timer = setInterval(record, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await pending;
    await ProcessHeartbeat.deleteOne({ _id: id }).catch(() => undefined); // the record also expires by itself
  };
};

/** An API or worker process, as its last heartbeat describes it. */
export interface FleetProcess {
  _id: string;
  kind: 'api' | 'worker';
  host: string;
  pid: number;
  version: string;
  startedAt: Date;
  /** Milliseconds since the last heartbeat, by the clock of the database. */
  silentMs: number;
  isLost: boolean;
  /** How far the clock of the process is ahead of the clock of the database, in milliseconds. */
  clockAheadMs: number;
  /** How many milliseconds late the last heartbeat was because the process was blocked. */
  lateMs: number;
  memoryBytes: number;
  port?: number;
  queues: string[];
  running: RunningJob[];
}

/** Lists the processes. Those without a recent heartbeat are included until their records expire after ten minutes. */
export const listProcesses = async (): Promise<FleetProcess[]> => {
  const processes = await ProcessHeartbeat.aggregate<Omit<FleetProcess, 'isLost'>>([
    {
      $addFields: {
        silentMs: { $subtract: ['$$NOW', '$at'] },
        clockAheadMs: { $subtract: ['$clock', '$at'] },
      },
    },
    { $sort: { kind: 1, host: 1, startedAt: 1 } },
  ]);
  return processes.map((each) => ({ ...each, isLost: each.silentMs > LOST_AFTER_MS }));
};
