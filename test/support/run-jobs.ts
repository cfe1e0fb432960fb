/** Drain the real queues through the real processors, without a worker process and without waiting for clocks. */
import { type Job, Worker } from 'bullmq';
import { config } from '#shared/config.ts';
import { QUEUES } from '#shared/jobs.ts';
import { type Envelope, queues } from '#shared/queue.ts';
import { patientRedis } from '#shared/redis.ts';
import { run } from '../../workers/run.ts';
import { atEnd } from './at-end.ts';

const TOKEN = 'suite';
const AT_ONCE = 8;

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

const promoteDelayed = async (): Promise<number> => {
  const delayed = (await Promise.all(queues().map((queue) => queue.getDelayed()))).flat();
  const own = delayed.filter((job) => !job.repeatJobKey);
  await Promise.all(own.map((job) => job.promote()));
  return own.length;
};

/** Run every job there is and every job these cause, up to eight of a queue at once; the number run. */
export const runJobs = async (): Promise<number> => {
  let all = 0;
  for (;;) {
    const done = await Promise.all(workers().flatMap((worker) => Array.from({ length: AT_ONCE }, () => drain(worker))));
    const count = done.reduce((sum, each) => sum + each, 0);
    all += count;
    if (!count && !(await promoteDelayed())) return all;
  }
};
