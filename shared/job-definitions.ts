/** The kinds of jobs: what a declaration in jobs.ts consists of. */
import { z } from 'zod';
import { config } from './config.ts';
import type { EventName } from './events.ts';

/** Options of a job. */
export interface JobOptions<P> {
  /** Maximum number of attempts; 1 for work that a sweep enqueues again. */
  attempts: number;
  /**
   * Deduplication key: jobs with the same key are one job. A job added while it runs makes it run once more afterwards.
   */
  deduplicateBy?: (payload: P) => string;
  /** Interval of a recurring job, in seconds. */
  everySeconds?: number;
}

/** The payload of a listener: which event of which record. A listener that needs the record reads its current state. */
export const EventRef = z.object({
  id_project: z.string(),
  event: z.string(),
  /** Id of the event; the same on every delivery. */
  id: z.string(),
  record: z.string(),
  position: z.string(),
});
export type EventRef = z.output<typeof EventRef>;

interface ListenerOptions {
  /** Maximum number of attempts at an event before it becomes a dead letter. */
  attempts: number;
  /** The events that start the job: one run per event, in the order of the changes log. */
  on: EventName[];
}

/** The payload of a job that needs none. */
export const EmptyPayload = z.object({});

/** A job; its payload is validated when it is enqueued and when it runs. */
export const defineJob = <P extends z.ZodType>(payload: P, options: JobOptions<z.output<P>>) => ({
  payload,
  ...options,
});

/** A job that runs on events. It reads the changes log from its own cursor, so a lost queue loses no event. */
export const defineListener = (options: ListenerOptions) => ({ payload: EventRef, ...options });

/**
 * A listener that handles whole batches of events, at most 500, in the order of the log. It must be idempotent: if it
 * fails, the batch is halved until the events that cause the failure are isolated. These are tried again one by one, up
 * to `attempts` times, while the listener goes on with the others. If a database is unavailable, the batch waits.
 */
export const defineBatchListener = (options: ListenerOptions) => ({
  payload: z.object({ events: z.array(EventRef.extend({ orderingKey: z.string() })) }),
  ...options,
  isBatch: true as const,
});

/** A recurring job that finds unfinished work. */
export const defineSweep = () =>
  defineJob(EmptyPayload, {
    attempts: 1,
    deduplicateBy: () => 'sweep',
    everySeconds: config.SWEEP_INTERVAL_SECONDS,
  });
