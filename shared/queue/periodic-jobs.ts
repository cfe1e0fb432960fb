/** The schedulers of periodic jobs, which BullMQ keeps in Redis. */
import type { JobOptions } from '../job-definitions.ts';
import { type JobName, jobs, queueName } from '../jobs.ts';
import { logger } from '../logger.ts';
import { getQueue, type JobEnvelope, queueRedis } from './queue.ts';

/** How late the run of a periodic job may be because the workers are busy. */
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
 * Creates the scheduler of a periodic job. A scheduler whose next run is further away than its interval is created
 * again: the clock was ahead when it was created, and has jumped back.
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
  logger.warn({ job: id, delayMs: next?.opts.delay }, 'periodic job is scheduled again after a jump of the clock');
  await queue.removeJobScheduler(id);
  await queue.upsertJobScheduler(id, { every }, template);
};

/** Returns the times of the next runs by scheduler, in milliseconds of the clock of the host. */
const readNextRuns = async (queue: Queue): Promise<Map<string, number>> => {
  const reply = await queueRedis.zrange(queue.toKey('repeat'), '0', '-1', 'WITHSCORES');
  return new Map(reply.flatMap((id, index) => (index % 2 ? [] : [[id, Number(reply[index + 1])] as const])));
};

/** Returns the jobs without a scheduler, and those whose next run is too late or too far away. */
const findUnscheduled = async (queue: Queue, ofQueue: PeriodicJob[]): Promise<PeriodicJob[]> => {
  const nextRuns = await readNextRuns(queue);
  const now = Date.now(); // the clock of the host, because BullMQ compares with it
  return ofQueue.filter(({ id, every }) => {
    const next = nextRuns.get(id);
    return next === undefined || next < now - every - MAX_LATE_MS || next > now + 2 * every;
  });
};

/**
 * Creates the schedulers of all periodic jobs, and removes those that an earlier version has left. Idempotent. Every
 * worker calls it when it starts.
 */
export const schedulePeriodicJobs = async (): Promise<void> => {
  await Promise.all(periodicJobs.map(schedule));
  const known = new Set(periodicJobs.map(({ id }) => id));
  for (const queue of new Set(periodicJobs.map(queueOf)))
    for (const id of (await readNextRuns(queue)).keys()) if (!known.has(id)) await queue.removeJobScheduler(id);
};

/**
 * Creates missing schedulers again, because Redis may lose its data. Workers call it repeatedly: it costs one command
 * per queue with periodic jobs if none is missing.
 */
export const restorePeriodicJobs = async (): Promise<void> => {
  for (const [queue, ofQueue] of Map.groupBy(periodicJobs, queueOf))
    await Promise.all((await findUnscheduled(queue, ofQueue)).map(schedule));
};
