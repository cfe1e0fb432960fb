/**
 * The Redis backend of a BullMQ worker: BullMQ's own, with two changes. First, it omits scripts that an empty queue
 * does not need. BullMQ regularly runs two scripts per queue to find jobs that were lost. A command that only checks
 * whether keys exist takes less time in Redis and in the worker, and shows whether the script can find a job:
 *
 * - Three times per lock duration, a script looks for stalled jobs (jobs whose worker was killed). It does nothing
 *   while the queue has no active job and no job that the previous check has marked.
 * - After five seconds without a job, a script tries to fetch one, because the marker of a new job may have been lost.
 *   It fetches nothing while no job is waiting or delayed.
 *
 * If a script can find a job, it runs when it would run without this file.
 *
 * Second, a reconnection ends as soon as the connection is ready. BullMQ reconnects when a wait for a job takes too
 * long, as it does after a failover, and relies on `connect` of ioredis. That promise may never settle; the worker
 * would then fetch no more jobs of its queue.
 */
import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import { type RedisClient, untilReady } from '#shared/queue/redis.ts';

/** After this many waits in succession, the worker tries to fetch a job even if there seems to be none. */
const MAX_WAITS = 12;

interface BackendOptions {
  /** The connection on which the backend checks whether keys exist. */
  connection: RedisClient;
  /** BullMQ's option: how long, in seconds, the worker of a queue without delayed jobs waits. */
  drainDelay: number;
  /** Whether the worker is being closed. It must then not wait again: BullMQ interrupts only the current wait. */
  isStopping: () => boolean;
}

/** Returns a factory of backends. */
export const workerBackend =
  ({ connection, drainDelay, isStopping }: BackendOptions): BackendFactory<RedisQueueBackend> =>
  (...args) => {
    const backend = createRedisBackend(...args);
    const { active, stalled, wait, prioritized, delayed } = backend.keys as Record<string, string>;
    const findStalled = backend.moveStalledJobsToWait.bind(backend);
    const waitForJob = backend.waitForJob.bind(backend);
    const reconnect = backend.reconnectBlocking.bind(backend);
    const anyExists = async (...keys: (string | undefined)[]): Promise<boolean> =>
      (await connection.exists(...(keys as string[]))) > 0;
    return Object.assign(backend, {
      reconnectBlocking: async () => {
        const client = await backend.blockingClient;
        if (client) await untilReady(client, reconnect());
      },
      moveStalledJobsToWait: async () => ((await anyExists(active, stalled)) ? findStalled() : []),
      waitForJob: async (timeoutSeconds: number) => {
        const isForDelayedJob = timeoutSeconds !== drainDelay; // BullMQ then passes the time until the job is due
        for (let waits = 1; ; waits += 1) {
          const marker = await waitForJob(timeoutSeconds);
          if (marker || isForDelayedJob || waits === MAX_WAITS) return marker;
          if ((await anyExists(wait, prioritized, delayed)) || isStopping()) return marker;
        }
      },
    });
  };
