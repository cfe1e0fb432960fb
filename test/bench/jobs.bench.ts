import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Types } from 'mongoose';
import { setEmbedder } from '#shared/embedding/embedder.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { blockingRedis, failFastRedis, queueKeyPrefix } from '#shared/queue/redis.ts';
import { runJob } from '../../workers/run-job.ts';
import { expectGoal } from './parts/goals.ts';
import { percentile, runInterleaved } from './parts/interleaved-rounds.ts';
import { redisPid } from './parts/usage.ts';
import { usageMeter } from './parts/usage-meter.ts';

const JOBS = 4000;
const IN_FLIGHT = 50;
const ROUND_COUNT = 5;
/** A round on an idle queue enqueues this many jobs one at a time, with a pause before each. */
const IDLE_JOBS = 100;
const PAUSE_MS = 10;

/** Returns the jobs per second, from the first addition to the last completion. Adds `IN_FLIGHT` jobs at a time. */
const throughput = async (worker: Worker, add: (index: number) => Promise<unknown>): Promise<number> => {
  const drained = new Promise<void>((done) => {
    let remaining = JOBS;
    worker.on('completed', () => --remaining || done());
  });
  const started = performance.now();
  let next = 0;
  const adder = async () => {
    while (next < JOBS) await add(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, adder));
  await drained;
  worker.removeAllListeners('completed');
  return JOBS / ((performance.now() - started) / 1000);
};

/** Returns the median time between the addition of a job to an idle queue and its completion, in milliseconds. */
const idleLatency = async (worker: Worker, add: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let job = 0; job < IDLE_JOBS; job += 1) {
    await sleep(PAUSE_MS);
    const completed = once(worker, 'completed');
    const started = performance.now();
    await Promise.all([add(), completed]);
    times.push(performance.now() - started);
  }
  return percentile(times, 0.5);
};

describe('Job benchmark', function () {
  this.timeout(240_000);
  let connection: ReturnType<typeof blockingRedis>;
  const options = (queue: string) => ({ connection, prefix: queueKeyPrefix(queue), concurrency: IN_FLIGHT });
  const retention = { removeOnComplete: { age: 3600, count: 200 }, removeOnFail: { age: 3600 } };
  let worker: Worker;
  let rawWorker: Worker;
  let raw: Queue;

  before(async () => {
    connection = blockingRedis();
    setEmbedder(null); // without a model, 'bulk.embed-chunks' does nothing
    raw = new Queue('raw', { connection: failFastRedis(), prefix: queueKeyPrefix('raw') });
    rawWorker = new Worker('raw', async () => undefined, options('raw'));
    worker = new Worker('bulk', runJob, options('bulk'));
    await Promise.all([once(rawWorker, 'ready'), once(worker, 'ready')]);
  });
  after(async () => {
    await Promise.all([rawWorker.close(), worker.close(), raw.close()]);
    connection.disconnect();
    setEmbedder(undefined as never);
  });

  const add = () => enqueue('bulk.embed-chunks', { id_project: String(new Types.ObjectId()) });
  const addRaw = (index = 0) => raw.add('nothing', { index }, retention);

  it('empty jobs reach 80% of the throughput of raw BullMQ', async () => {
    const pids = { process: process.pid, redis: await redisPid() };
    const [our, plain] = [usageMeter(pids), usageMeter(pids)];
    const { ours, bare, ratio } = await runInterleaved(
      ROUND_COUNT,
      () => our.measure(() => throughput(worker, add)),
      () => plain.measure(() => throughput(rawWorker, addRaw)),
    );
    const count = JOBS * (ROUND_COUNT + 1);
    console.log(`      ours: per job ${our.describe(count)}\n      bare: per job ${plain.describe(count)}`);
    const rates = { ours: `${ours.toFixed(0)} /s`, reference: `${bare.toFixed(0)} /s` };
    expectGoal({ what: 'Jobs, from addition to completion', ...rates, value: ratio, goal: { atLeast: 0.8 } });
  });

  it('an idle queue completes a job at most 5 ms later than raw BullMQ', async () => {
    const { ours, bare, difference } = await runInterleaved(
      ROUND_COUNT,
      () => idleLatency(worker, add),
      () => idleLatency(rawWorker, addRaw),
    );
    const times = { ours: `p50 ${ours.toFixed(2)} ms`, reference: `p50 ${bare.toFixed(2)} ms` };
    expectGoal({ what: 'Job in an idle queue', ...times, value: difference, unit: ' ms', goal: { atMost: 5 } });
  });
});
