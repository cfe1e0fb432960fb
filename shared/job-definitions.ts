/** The kinds of jobs, and the options of their declarations in jobs.ts. */
import { z } from 'zod';
import type { EventName } from './events.ts';

export interface JobOptions<P> {
  /**
   * Maximum number of attempts of an enqueued job; 1 for work whose records hold the time of the next attempt. The
   * scheduled runs of a periodic job always have one attempt.
   */
  attempts: number;
  /**
   * Deduplication key: waiting jobs with the same key are merged. A job that is added while a job with the same key is
   * running runs afterwards.
   */
  deduplicateBy?: (payload: P) => string;
  /** Interval of a periodic job, in seconds. */
  everySeconds?: number;
  /** Whether `maintenance.run-sweeps` also runs the job. */
  isSweep?: true;
}

/** The payload of a listener: an event and the id of its record. A listener reads the record's current state itself. */
export const EventRef = z.object({
  id_project: z.string(),
  event: z.string(),
  /** Id of the event; the same each time the event is processed. */
  id: z.string(),
  record: z.string(),
  position: z.string(),
});
export type EventRef = z.output<typeof EventRef>;

interface ListenerOptions {
  /** Maximum number of attempts to handle an event; after the last one fails, the event becomes a dead letter. */
  attempts: number;
  /**
   * The events that start the job, which handles them in the order of the changes log: one per run, or a batch per run.
   */
  on: EventName[];
  /**
   * How long a wake-up is delayed, in milliseconds, so that the listener handles more events in one batch. Default: 0.
   */
  gatherMs?: number;
}

/** The payload of a job without parameters. */
const EmptyPayload = z.object({});

/** Declares a job. Its payload is validated when it is enqueued and when it runs. */
export const defineJob = <P extends z.ZodType>(payload: P, options: JobOptions<z.output<P>>) => ({
  payload,
  ...options,
});

/**
 * Declares a job that events start. It runs in the `events` queue and reads the changes log from its own cursor, so no
 * event is lost if Redis loses the queue.
 */
export const defineListener = (options: ListenerOptions) => ({ payload: EventRef, ...options });

/**
 * Declares a listener that handles batches of up to 500 events in the order of the log. It must be idempotent: if it
 * fails, the batch is halved until the events that cause the failure are isolated. These are retried one by one, up to
 * `attempts` times, while the listener continues with the others. If a database is unavailable, the batch waits.
 */
export const defineBatchListener = (options: ListenerOptions) => ({
  payload: z.object({ events: z.array(EventRef.extend({ orderingKey: z.string() })) }),
  ...options,
  isBatch: true as const,
});

/** Declares a job without parameters that runs periodically. */
export const definePeriodicJob = (everySeconds: number) =>
  defineJob(EmptyPayload, { attempts: 1, deduplicateBy: () => 'run', everySeconds });

/**
 * Declares a job that enqueues unfinished work again or cleans up records. One periodic job runs all sweeps every
 * SWEEP_INTERVAL_SECONDS.
 */
export const defineSweep = () =>
  defineJob(EmptyPayload, { attempts: 1, deduplicateBy: () => 'sweep', isSweep: true as const });
