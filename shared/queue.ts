/** Putting jobs on their queues. A job is a nudge: the record's status is the truth (design 2). */
import { type JobsOptions, Queue } from 'bullmq';
import type { z } from 'zod';
import { config } from './config.ts';
import { requestId } from './context.ts';
import { type JobName, jobs, type ListenerName, type Payload, QUEUES, queueOf } from './jobs.ts';
import { logger } from './logger.ts';
import { impatientRedis } from './redis.ts';

const HOUR = 3600;
const connection = impatientRedis({ lazyConnect: true });
/** The connection of the queues, for counters that may wait while Redis is away. */
export { connection as queueRedis };
const open = new Map<string, Queue>();

const queue = (name: string): Queue => {
  const known = open.get(name);
  if (known) return known;
  const made = new Queue(name, { connection, prefix: config.QUEUE_PREFIX, skipVersionCheck: true });
  made.on('error', () => undefined); // the connection itself tells of it
  open.set(name, made);
  return made;
};

/** A job as its processor meets it, and the error that ends it without another try. */
export { type Job, UnrecoverableError as FinalError } from 'bullmq';

/** What a job carries: its ids and the request that caused it. */
export interface Envelope {
  payload: unknown;
  requestId?: string;
}

const optionsOf = (name: JobName, payload: unknown): JobsOptions => {
  const { attempts, once } = jobs[name] as { attempts: number; once?: (payload: unknown) => string };
  return {
    attempts,
    backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
    removeOnComplete: { age: HOUR, count: 200 },
    removeOnFail: { age: 24 * HOUR, count: 1000 },
    ...(once ? { deduplication: { id: `${name.replace('.', '-')}-${once(payload)}`, keepLastIfActive: true } } : {}),
  };
};

/**
 * Ask for a job, not before `delayMs` have passed. With Redis away it is not asked for: whatever it would have done is recorded in MongoDB
 * and found by the next sweep, so the caller's answer does not wait for it (faults F3, F4).
 */
export const enqueue = async <N extends Exclude<JobName, ListenerName>>(
  name: N,
  payload: Payload<N>,
  delayMs = 0,
): Promise<void> => {
  const checked = (jobs[name].payload as z.ZodType).parse(payload);
  const envelope: Envelope = { payload: checked, requestId: requestId() };
  try {
    await queue(queueOf(name)).add(name, envelope, { ...optionsOf(name, checked), delay: delayMs });
  } catch (error) {
    logger.warn({ job: name, err: (error as Error).message }, 'not enqueued; a sweep will find it');
  }
};

/** Make the clock's jobs tick; safe to repeat, and repeated, for a flushed Redis forgets them (design 3). */
export const schedule = async (): Promise<void> => {
  for (const name of Object.keys(jobs) as JobName[]) {
    const { every } = jobs[name] as { every?: number };
    if (!every) continue;
    const template = {
      name,
      data: { payload: {} } satisfies Envelope,
      opts: { attempts: 1, removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } },
    };
    await queue(queueOf(name)).upsertJobScheduler(name.replace('.', '-'), { every: every * 1000 }, template);
  }
};

/** Every queue, for Bull Board and health. */
export const queues = (): Queue[] => QUEUES.map(queue);

/** Connect, so that the first job need not wait; while Redis is away the connection keeps trying. */
export const connectQueues = async (): Promise<void> => {
  if (connection.status === 'wait') await connection.connect();
};

/** Close what was opened. */
export const closeQueues = async (): Promise<void> => {
  await Promise.all([...open.values()].map((each) => each.close()));
  open.clear();
  connection.disconnect();
};
