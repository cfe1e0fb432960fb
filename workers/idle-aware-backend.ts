/**
 * The Redis backend of a BullMQ worker, without the scripts that an idle queue does not need. Both kinds of script find
 * lost work and must therefore run at regular intervals; but a command that only asks whether a key exists can tell that
 * a script would find nothing, and takes a fraction of the processor time:
 *
 * - BullMQ looks for stalled jobs (jobs whose worker was killed) three times per lock duration. The script does nothing
 *   while the queue has no active job, and no job that the previous check has marked.
 * - A worker that has waited five seconds for a job tries to fetch one, in case that the message of a new job was lost.
 *   The script fetches nothing while no job is waiting or delayed.
 *
 * In all other cases the scripts run as before, so no job is found later.
 */
import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import type { RedisClient } from '#shared/queue/redis.ts';

/** After so many waits in succession, the worker tries to fetch a job even if there seems to be none. */
const MAX_WAITS = 12;

/** Returns a factory of backends that look for keys with `connection`. */
export const idleAwareBackend =
  (connection: RedisClient): BackendFactory<RedisQueueBackend> =>
  (...args) => {
    const backend = createRedisBackend(...args);
    const { active, stalled, wait, prioritized, delayed } = backend.keys as Record<string, string>;
    const findStalled = backend.moveStalledJobsToWait.bind(backend);
    const waitForJob = backend.waitForJob.bind(backend);
    const anyExists = async (...keys: (string | undefined)[]): Promise<boolean> =>
      (await connection.exists(...(keys as string[]))) > 0;
    return Object.assign(backend, {
      moveStalledJobsToWait: async () => ((await anyExists(active, stalled)) ? findStalled() : []),
      waitForJob: async (timeoutSeconds: number) => {
        for (let waits = 1; ; waits += 1) {
          const marker = await waitForJob(timeoutSeconds);
          if (marker || waits === MAX_WAITS || (await anyExists(wait, prioritized, delayed))) return marker;
        }
      },
    });
  };
