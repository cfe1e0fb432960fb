/** The schedulers of periodic jobs, which BullMQ keeps in Redis. */
import type { JobOptions } from '../job-definitions.ts';
import { type JobName, jobs, queueName } from '../jobs.ts';
import { logger } from '../logger.ts';
import { getQueue, type JobEnvelope, queueRedis } from './queue.ts';

/**
 * A scheduler is created again if its next run is late by more than its interval and this time. Until then, the run may
 * be late because the workers are busy.
 */
const MAX_LATE_MS = 5000;

type Queue = ReturnType<typeof getQueue>;

/** A periodic job and its scheduler. */
interface PeriodicJob {
  name: JobName;
  id: string;
  every: number;
}

const periodicJobs: PeriodicJob[] = (Object.keys(jobs) as JobName[]).flatMap((name) => {
  const { everySeconds } = jobs[name] as JobOptions<unknown>;
  return everySeconds ? [{ name, id: name.replace('.', '-'), every: everySeconds * 1000 }] : [];
});

const queueOf = ({ name }: PeriodicJob): Queue => getQueue(queueName(name));

/**
 * Creates the scheduler of a periodic job. A scheduler whose next run is further away than twice its interval is
 * created again: the clock was ahead when the scheduler was created, and has been set back since.
 */
const schedule = async (job: PeriodicJob): Promise<void> => {
  const { name, id, every } = job;
  const queue = queueOf(job);
  const template = {
    name,
    data: { payload: {} } satisfies JobEnvelope,
    opts: { attempts: 1, removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } },
  };
  const next = await queue.upsertJobScheduler(id, { every }, template);
  if ((next?.opts.delay ?? 0) <= 2 * every) return;
  logger.warn({ job: id, delayMs: next?.opts.delay }, 'periodic job is scheduled again, because the clock has jumped');
  await queue.removeJobScheduler(id);
  await queue.upsertJobScheduler(id, { every }, template);
};

/** Returns the time of the next run of each scheduler, in milliseconds by the clock of the host. */
const readNextRuns = async (queue: Queue): Promise<Map<string, number>> => {
  const reply = await queueRedis.zrange(queue.toKey('repeat'), '0', '-1', 'WITHSCORES');
  return new Map(reply.flatMap((id, index) => (index % 2 ? [] : [[id, Number(reply[index + 1])] as const])));
};

/** Whether the next run of a job is missing, overdue or too far away. */
const isUnscheduled = ({ every }: PeriodicJob, nextRun: number | undefined): boolean => {
  const now = Date.now(); // the clock of the host, because BullMQ compares with it
  return nextRun === undefined || nextRun < now - every - MAX_LATE_MS || nextRun > now + 2 * every;
};

const restoreInQueue = async (queue: Queue, ofQueue: PeriodicJob[]): Promise<void> => {
  const nextRuns = await readNextRuns(queue);
  const missing = ofQueue.filter((job) => isUnscheduled(job, nextRuns.get(job.id)));
  const unknown = [...nextRuns.keys()].filter((id) => !ofQueue.some((job) => job.id === id));
  await Promise.all([...missing.map(schedule), ...unknown.map((id) => queue.removeJobScheduler(id))]);
};

/**
 * Creates missing schedulers again, because Redis may lose its data, and removes those that an earlier version left
 * behind. Workers call this function repeatedly: if there is nothing to do, a call costs one command per queue with
 * periodic jobs.
 */
export const restorePeriodicJobs = async (): Promise<void> => {
  for (const [queue, ofQueue] of Map.groupBy(periodicJobs, queueOf)) await restoreInQueue(queue, ofQueue);
};

/** Creates the schedulers of all periodic jobs with the intervals of this version. Called when a worker starts. */
export const schedulePeriodicJobs = async (): Promise<void> => {
  await Promise.all(periodicJobs.map(schedule));
  await restorePeriodicJobs();
};
