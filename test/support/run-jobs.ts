/** Runs the jobs in the queues with their processors, without a worker process and without delays. */
import { type Job, Worker } from 'bullmq';
import { wakeListeners } from '#shared/domain/events/listeners.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { Change } from '#shared/models/change.ts';
import { ListenerCursor } from '#shared/models/listener-cursor.ts';
import { type JobEnvelope, queues } from '#shared/queue/queue.ts';
import { blockingRedis, queueKeyPrefix } from '#shared/queue/redis.ts';
import { runJob } from '../../workers/run-job.ts';
import { relayedChanges } from './changes-log.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

const LOCK_TOKEN = 'suite';
const JOBS_AT_ONCE = 8;
const EVENTS_QUEUE = 'events';
/** Locks are not renewed here, so they last longer than any job. */
const LOCK_MS = 600_000;

let startedWorkers: Worker[] | undefined;

const workers = (): Worker[] => {
  if (startedWorkers) return startedWorkers;
  const connection = blockingRedis();
  const created = QUEUE_NAMES.map(
    (name) =>
      new Worker(name, undefined, {
        ...{ connection, prefix: queueKeyPrefix(name) },
        ...{ autorun: false, lockDuration: LOCK_MS },
      }),
  );
  onSuiteEnd(async () => {
    await Promise.all(created.map((worker) => worker.close()));
    connection.disconnect();
  });
  startedWorkers = created;
  return created;
};

const runQueuedJob = async (job: Job<JobEnvelope>): Promise<void> => {
  try {
    await runJob(job);
    await job.moveToCompleted(null, LOCK_TOKEN, false);
  } catch (error) {
    await job.moveToFailed(error as Error, LOCK_TOKEN, false);
  }
};

const nextJob = async (worker: Worker): Promise<Job<JobEnvelope> | undefined> =>
  (await worker.getNextJob(LOCK_TOKEN, { block: false })) as Job<JobEnvelope> | undefined;

/** Runs `first`, and then the other jobs of the queue until it is empty. Returns the number of jobs. */
const runJobsFrom = async (worker: Worker, first?: Job<JobEnvelope>): Promise<number> => {
  let done = 0;
  for (let job = first; job; job = await nextJob(worker)) {
    await runQueuedJob(job);
    done += 1;
  }
  return done;
};

/** Runs jobs until the queue is empty, and returns their number. An empty queue, the usual case, costs one command. */
const drain = async (worker: Worker): Promise<number> => {
  const first = await nextJob(worker);
  if (!first) return 0;
  const others = Array.from({ length: JOBS_AT_ONCE - 1 }, async () => runJobsFrom(worker, await nextJob(worker)));
  const done = await Promise.all([runJobsFrom(worker, first), ...others]);
  return done.reduce((sum, each) => sum + each, 0);
};

/** Delayed jobs of these names stay delayed: a job with an outgoing call delays itself again if it runs too early. */
const TIMED_JOBS = ['bots.call', 'webhooks.deliver'];

/**
 * The maximum number of times that a delayed job is promoted (made to run now). A job that delays itself even after the
 * last promotion waits for a fixed time, such as the time of a retry, and stays delayed.
 */
const MAX_PROMOTIONS = 10;

type Promotions = Map<string, number>;

const promote = async (job: Job<JobEnvelope>, promotions: Promotions): Promise<number> => {
  const key = `${job.name} ${JSON.stringify(job.data.payload)}`;
  const count = promotions.get(key) ?? 0;
  if (count >= MAX_PROMOTIONS) return 0;
  promotions.set(key, count + 1);
  // Promoting fails if the job has become due in the meantime; it then needs no promotion.
  await job.promote().catch(async (error: Error) => {
    if (await job.isDelayed()) throw error;
  });
  return 1;
};

const promoteDelayed = async (wanted: (queue: string) => boolean, promotions: Promotions): Promise<number> => {
  const wantedQueues = queues().filter(({ name }) => wanted(name));
  const delayed = (await Promise.all(wantedQueues.map((queue) => queue.getDelayed()))).flat();
  const own = delayed.filter(({ name, repeatJobKey }) => !repeatJobKey && !TIMED_JOBS.includes(name));
  const promoted = await Promise.all(own.map((job) => promote(job as Job<JobEnvelope>, promotions)));
  return promoted.reduce((sum, each) => sum + each, 0);
};

const drainAll = async (wanted: (queue: string) => boolean): Promise<number> => {
  let all = 0;
  const promotions: Promotions = new Map();
  for (;;) {
    const selected = workers().filter(({ name }) => wanted(name));
    const done = await Promise.all(selected.map(drain));
    const count = done.reduce((sum, each) => sum + each, 0);
    all += count;
    if (!count && !(await promoteDelayed(wanted, promotions))) return all;
  }
};

/**
 * Runs all jobs, except those of listeners, until the queues are empty; up to eight jobs of a queue run concurrently.
 * Returns the number of jobs.
 */
export const runJobs = (): Promise<number> => drainAll((queue) => queue !== EVENTS_QUEUE);

/** Moves the cursors of all listeners past the events of other tests: those before the position `first`. */
const skipEventsBefore = async (first: string): Promise<void> => {
  const earlier = { position: { $lt: first } };
  const last = await Change.findOne(earlier, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean();
  if (last) await ListenerCursor.updateMany({ cursor: { $lt: last.position } }, { cursor: last.position });
};

/** Relays all pending events and runs all jobs, including those of listeners to the project's events. */
export const runJobsOnEvents = async (id_project: string): Promise<number> => {
  const changes = await relayedChanges(id_project);
  if (changes[0]) await skipEventsBefore(changes[0].position);
  await wakeListeners(changes.map(({ event }) => event));
  return drainAll(() => true);
};
