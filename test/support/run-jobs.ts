/** Drain the real queues through the real processors, without a worker process and without waiting for clocks. */
import { type Job, Worker } from 'bullmq';
import { config } from '#shared/config.ts';
import { QUEUES } from '#shared/jobs.ts';
import { Change } from '#shared/models/change.ts';
import { Listener } from '#shared/models/listener.ts';
import { type Envelope, queues } from '#shared/queue.ts';
import { patientRedis } from '#shared/redis.ts';
import { run } from '../../workers/run.ts';
import { atEnd } from './at-end.ts';

const TOKEN = 'suite';
const AT_ONCE = 8;
const EVENTS = 'events';
const MINUTE = 60_000;

let hands: Worker[] | undefined;

const workers = (): Worker[] => {
  if (hands) return hands;
  const connection = patientRedis();
  const made = QUEUES.map(
    (name) => new Worker(name, undefined, { connection, prefix: config.QUEUE_PREFIX, autorun: false }),
  );
  atEnd(async () => {
    await Promise.all(made.map((worker) => worker.close()));
    connection.disconnect();
  });
  hands = made;
  return made;
};

const finish = async (job: Job<Envelope>): Promise<void> => {
  try {
    await run(job);
    await job.moveToCompleted(null, TOKEN, false);
  } catch (error) {
    await job.moveToFailed(error as Error, TOKEN, false);
  }
};

const drain = async (worker: Worker): Promise<number> => {
  let done = 0;
  for (;;) {
    const job = (await worker.getNextJob(TOKEN, { block: false })) as Job<Envelope> | undefined;
    if (!job) return done;
    await finish(job);
    done += 1;
  }
};

/** A call of a bot that comes before its time goes back to wait. */
const KEEPS_TIME = 'bots.call';

const promoteDelayed = async (wanted: (queue: string) => boolean): Promise<number> => {
  const asked = queues().filter(({ name }) => wanted(name));
  const delayed = (await Promise.all(asked.map((queue) => queue.getDelayed()))).flat();
  const own = delayed.filter(({ name, repeatJobKey }) => !repeatJobKey && name !== KEEPS_TIME);
  await Promise.all(own.map((job) => job.promote()));
  return own.length;
};

const drainAll = async (wanted: (queue: string) => boolean): Promise<number> => {
  let all = 0;
  for (;;) {
    const hands = workers().filter(({ name }) => wanted(name));
    const done = await Promise.all(hands.flatMap((worker) => Array.from({ length: AT_ONCE }, () => drain(worker))));
    const count = done.reduce((sum, each) => sum + each, 0);
    all += count;
    if (!count && !(await promoteDelayed(wanted))) return all;
  }
};

/** Run every job there is and every job these cause, up to eight of a queue at once, but for listeners; the number run. */
export const runJobs = (): Promise<number> => drainAll((queue) => queue !== EVENTS);

/** What was told more than a minute ago is another test's. */
const skipOldEvents = async (): Promise<void> => {
  const old = { createdAt: { $lt: new Date(Date.now() - MINUTE) } };
  const last = await Change.findOne(old, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean();
  if (last) await Listener.updateMany({ cursor: { $lt: last.position } }, { cursor: last.position });
};

/** The same with the listeners, which hear of what happened within the last minute. */
export const runJobsOnEvents = async (): Promise<number> => {
  await skipOldEvents();
  return drainAll(() => true);
};
