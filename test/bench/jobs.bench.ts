import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { Types } from 'mongoose';
import { setEmbedder } from '#shared/embedding/embedder.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { blockingRedis, failFastRedis, queueKeyPrefix } from '#shared/queue/redis.ts';
import { runJob } from '../../workers/run-job.ts';
import { printRates, runInterleaved } from './parts/interleaved-rounds.ts';

const JOBS = 4000;
const IN_FLIGHT = 50;

/** Returns the jobs per second, from the first addition to the last completion. Adds `IN_FLIGHT` jobs concurrently. */
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

describe('Job benchmark', () => {
  it('empty jobs reach 0.7 of the throughput of raw BullMQ', async function measure() {
    this.timeout(180_000);
    setEmbedder(null); // without a model, 'bulk.embed-chunks' does nothing
    const connection = blockingRedis();
    const options = (queue: string) => ({ connection, prefix: queueKeyPrefix(queue), concurrency: IN_FLIGHT });
    const raw = new Queue('raw', { connection: failFastRedis(), prefix: queueKeyPrefix('raw') });
    const rawWorker = new Worker('raw', async () => undefined, options('raw'));
    const worker = new Worker('bulk', runJob, options('bulk'));
    await Promise.all([once(rawWorker, 'ready'), once(worker, 'ready')]);
    const retention = { removeOnComplete: { age: 3600, count: 200 }, removeOnFail: { age: 3600 } };
    const result = await runInterleaved(
      4,
      () => throughput(worker, () => enqueue('bulk.embed-chunks', { id_project: String(new Types.ObjectId()) })),
      () => throughput(rawWorker, (index) => raw.add('nothing', { index }, retention)),
    );
    printRates('jobs', result);
    await Promise.all([rawWorker.close(), worker.close(), raw.close()]);
    connection.disconnect();
    setEmbedder(undefined as never);
    expect(result.ratio).to.be.at.least(0.7);
  });
});
