import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { Types } from 'mongoose';
import { config } from '#shared/config.ts';
import { useEmbedder } from '#shared/embedding/embedder.ts';
import { enqueue } from '#shared/queue.ts';
import { impatientRedis, patientRedis } from '#shared/redis.ts';
import { run } from '../../workers/run.ts';
import { interleaved, told } from './parts/rounds.ts';

const JOBS = 4000;
const IN_FLIGHT = 50;

/** Jobs a second from the first request to the last end: `IN_FLIGHT` requests and as many workers at once. */
const throughput = async (worker: Worker, add: (index: number) => Promise<unknown>): Promise<number> => {
  const drained = new Promise<void>((done) => {
    let left = JOBS;
    worker.on('completed', () => --left || done());
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

describe('a job that does nothing', () => {
  it('takes at most 1 / 0.7 of raw BullMQ from the request to its end', async function measure() {
    this.timeout(180_000);
    useEmbedder(null); // without a model 'bulk.embed-chunks' has nothing to do
    const connection = patientRedis();
    const options = { connection, prefix: config.QUEUE_PREFIX, concurrency: IN_FLIGHT };
    const raw = new Queue('raw', { connection: impatientRedis(), prefix: config.QUEUE_PREFIX });
    const rawWorker = new Worker('raw', async () => undefined, options);
    const worker = new Worker('bulk', run, options);
    await Promise.all([once(rawWorker, 'ready'), once(worker, 'ready')]);
    const kept = { removeOnComplete: { age: 3600, count: 200 }, removeOnFail: { age: 3600 } };
    const result = await interleaved(
      4,
      () => throughput(worker, () => enqueue('bulk.embed-chunks', { id_project: String(new Types.ObjectId()) })),
      () => throughput(rawWorker, (index) => raw.add('nothing', { index }, kept)),
    );
    told('jobs', result);
    await Promise.all([rawWorker.close(), worker.close(), raw.close()]);
    connection.disconnect();
    useEmbedder(undefined as never);
    expect(result.ratio).to.be.at.least(0.7);
  });
});
