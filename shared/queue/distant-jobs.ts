/**
 * Runs delayed jobs whose due time lies too far in the future. BullMQ computes the due time from the clock of the host.
 * If that clock is ahead and is set back, or differs from the clocks of other hosts, the job is late by the difference,
 * and all jobs with its deduplication key are merged into it meanwhile.
 */
import { config } from '../config.ts';
import { logger } from '../logger.ts';
import { queueRedis, queues } from './queue.ts';

/** Longer than any delay: wake-ups are delayed by at most the sweep interval, and retries by at most 20 s. */
const MAX_DELAY_MS = config.SWEEP_INTERVAL_SECONDS * 1000 + 20_000;
/** BullMQ stores the time of a delayed job, in milliseconds, in the upper bits of its score. */
const SCORES_PER_MS = 0x1000;
const JOBS_PER_RUN = 1000;
/** The ids of runs of periodic jobs begin with this prefix; `restorePeriodicJobs` schedules these runs again. */
const PERIODIC_PREFIX = 'repeat:';

const promoteDistantJobsOf = async (queue: ReturnType<typeof queues>[number]): Promise<void> => {
  // The clock of the host, because BullMQ computes the scores from it.
  const firstScore = (Date.now() + MAX_DELAY_MS) * SCORES_PER_MS;
  const ids = await queueRedis.zrangebyscore(queue.toKey('delayed'), firstScore, '+inf', 'LIMIT', 0, JOBS_PER_RUN);
  const wakeUps = ids.filter((id) => !id.startsWith(PERIODIC_PREFIX));
  if (!wakeUps.length) return;
  logger.warn({ queue: queue.name, jobs: wakeUps.length }, 'delayed jobs are run now, because the clock has jumped');
  // An error is ignored: another worker may have promoted the job.
  for (const id of wakeUps) await (await queue.getJob(id))?.promote().catch(() => undefined);
};

/**
 * Immediately runs the delayed jobs that are due later than any delay allows. A job that runs too early finds nothing
 * due and is enqueued again.
 */
export const promoteDistantJobs = async (): Promise<void> => {
  await Promise.all(queues().map(promoteDistantJobsOf));
};
