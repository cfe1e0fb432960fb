/**
 * Enqueues jobs. A job is only a wake-up: the work itself is recorded in MongoDB, and sweeps enqueue lost jobs again.
 */
import { once } from 'node:events';
import type * as BullMq from 'bullmq';
import type { z } from 'zod';
import { correlationId, currentTraceparent } from '../context.ts';
import type { JobOptions } from '../job-definitions.ts';
import { type JobName, jobs, type ListenerName, type Payload, QUEUE_NAMES, queueName } from '../jobs.ts';
import { logger } from '../logger.ts';
import { loadPackage } from '../load-package.ts';
import { failFastRedis, openRedis, queueKeyPrefix } from './redis.ts';

const HOUR_SECONDS = 3600;
const connection = failFastRedis({ lazyConnect: true });

/** The Redis connection of the queues. Counters that tolerate an outage of Redis also use it. */
export { connection as queueRedis };

/** Loaded with the first queue, because many processes enqueue nothing. */
const bullmq = () => loadPackage('bullmq') as typeof BullMq;

const openQueues = new Map<string, BullMq.Queue>();

/** Returns the queue with this name, which is opened on the first call. */
export const getQueue = (name: string): BullMq.Queue => {
  const existing = openQueues.get(name);
  if (existing) return existing;
  const queue = new (bullmq().Queue)(name, { connection, prefix: queueKeyPrefix(name), skipVersionCheck: true });
  queue.on('error', () => undefined); // the connection logs errors
  openQueues.set(name, queue);
  return queue;
};

/** A job in the form that workers receive. */
export type Job<Data> = BullMq.Job<Data>;

/** Returns an error that makes a job fail without another attempt. */
export const createFinalError = (message: string): Error => new (bullmq().UnrecoverableError)(message);

/** The data of a job in Redis: its payload, and the correlation id and span of the request that caused it. */
export interface JobEnvelope {
  payload: unknown;
  correlationId?: string;
  /** The span in which the job was enqueued. */
  traceparent?: string;
}

const jobOptions = (name: JobName, payload: unknown): BullMq.JobsOptions => {
  const { attempts, deduplicateBy } = jobs[name] as JobOptions<unknown>;
  return {
    attempts,
    backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
    removeOnComplete: { age: HOUR_SECONDS, count: 200 },
    removeOnFail: { age: 24 * HOUR_SECONDS, count: 1000 },
    ...(deduplicateBy
      ? { deduplication: { id: `${name.replace('.', '-')}-${deduplicateBy(payload)}`, keepLastIfActive: true } }
      : {}),
  };
};

/**
 * Enqueues a job, to run after `delayMs` at the earliest. If Redis is unavailable, logs a warning and returns: the work
 * is recorded in MongoDB, and a sweep or the next use of that record enqueues the job. A listener has no such record,
 * only a position in the changes log: a sweep or the next event enqueues its job.
 */
export const enqueue = async <N extends Exclude<JobName, ListenerName>>(
  name: N,
  payload: Payload<N>,
  delayMs = 0,
): Promise<void> => {
  const checked = (jobs[name].payload as z.ZodType).parse(payload);
  const envelope: JobEnvelope = { payload: checked, correlationId: correlationId(), traceparent: currentTraceparent() };
  try {
    await getQueue(queueName(name)).add(name, envelope, { ...jobOptions(name, checked), delay: delayMs });
  } catch (error) {
    logger.warn(
      { job: name, err: (error as Error).message },
      'job not enqueued; a sweep, or the next use of the record of its work, will enqueue it',
    );
  }
};

/** All queues, for Bull Board and the health checks. */
export const queues = (): BullMq.Queue[] => QUEUE_NAMES.map(getQueue);

/** The states of a connection that has not been opened yet, or has been closed. */
const CLOSED_STATES: (typeof connection.status)[] = ['wait', 'end'];

/** Connects to Redis, unless already connected. If Redis is unavailable, the connection keeps retrying. */
export const connectQueues = async (): Promise<void> => {
  if (CLOSED_STATES.includes(connection.status)) await openRedis(connection);
};

/** Closes all queues and their connection. */
export const closeQueues = async (): Promise<void> => {
  await Promise.all([...openQueues.values()].map((queue) => queue.close()));
  openQueues.clear();
  const ended = connection.status === 'ready' ? once(connection, 'end') : undefined;
  connection.disconnect();
  await ended; // otherwise, the next `connectQueues` would find the old connection still open
};
