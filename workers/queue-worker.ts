/** The BullMQ worker of a queue. */
import { availableParallelism } from 'node:os';
import { Worker } from 'bullmq';
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import { type RedisClient, queueKeyPrefix } from '#shared/queue/redis.ts';
import { workerBackend } from './worker-backend.ts';
import { runJob } from './run-job.ts';
import { shutdownSignal } from './shutdown.ts';

/**
 * Time after which the lock of a job ends if its worker was killed. The job runs again when the next check for stalled
 * jobs finds it, at most a third of this time later. What the job does then depends on the leases of its records.
 */
const LOCK_MS = Math.ceil((config.LEASE_SECONDS * 1000) / 4);
/**
 * Locks of jobs in `bots`, `webhooks` and `events` end sooner, because people wait for the effects of these jobs. The
 * jobs are idempotent.
 */
const SHORT_LOCK_MS = Math.min(LOCK_MS, 5000);
const SHORT_LOCK_QUEUES = ['bots', 'webhooks', 'events'];
const STALLED_CHECKS_PER_LOCK = 3;
/** How long a worker waits for a job before it tries to fetch one: BullMQ's default. A new job wakes it sooner. */
const WAIT_SECONDS = 5;
/** How long a worker waits after a command that failed because of the connection to Redis. BullMQ's default is 15 s. */
const RETRY_DELAY_MS = 1000;

/**
 * Images are decoded outside the main thread, on all cores except one. At least two jobs run concurrently, because each
 * one also waits for the main thread, which another job, such as an import of leads, may keep busy.
 */
const FILES_AT_ONCE = Math.max(2, availableParallelism() - 1);

/**
 * Two jobs, so that a run of all sweeps does not delay jobs that other work waits for, such as the assignment of
 * waiting conversations.
 */
const MAINTENANCE_AT_ONCE = 2;

interface WorkerOptions {
  connection: RedisClient;
  /** The number of jobs that a queue of this process runs concurrently; some queues run a multiple of it. */
  concurrency: number;
}

/**
 * Returns how many jobs of a queue run concurrently. Jobs of `bots`, `webhooks`, `events` and `project-mails` mostly
 * wait for I/O, and a call to a bot, to the URL of a subscription or to the SMTP server of a project may take seconds.
 * These queues run more jobs, so that one project cannot occupy all of them.
 */
const jobsAtOnce = (queue: string, concurrency: number): number =>
  ({
    bots: 64 * concurrency,
    webhooks: 64 * concurrency,
    events: 4 * concurrency,
    'project-mails': 16 * concurrency,
    files: FILES_AT_ONCE,
    maintenance: MAINTENANCE_AT_ONCE,
  })[queue] ?? concurrency;

/**
 * Starts running the jobs of a queue. Does not set `skipVersionCheck`, because a BullMQ worker that does not know the
 * version of Redis waits for delayed jobs in whole seconds.
 */
export const createQueueWorker = (queue: string, { connection, concurrency }: WorkerOptions): Worker => {
  const lockDuration = SHORT_LOCK_QUEUES.includes(queue) ? SHORT_LOCK_MS : LOCK_MS;
  const options = {
    connection,
    prefix: queueKeyPrefix(queue),
    concurrency: jobsAtOnce(queue, concurrency),
    lockDuration,
    drainDelay: WAIT_SECONDS,
    runRetryDelay: RETRY_DELAY_MS,
    stalledInterval: Math.ceil(lockDuration / STALLED_CHECKS_PER_LOCK),
    maxStalledCount: 5,
  };
  return new Worker(queue, runJob, options, workerBackend({ ...options, isStopping: () => shutdownSignal.aborted })).on(
    'error',
    (error) => logger.warn({ queue, err: error.message }, 'BullMQ worker error'),
  );
};
