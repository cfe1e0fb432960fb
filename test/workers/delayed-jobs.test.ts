/** The start times of delayed jobs. */
import { expect } from 'chai';
import { once } from 'node:events';
import { newId } from '#shared/context.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { blockingRedis } from '#shared/queue/redis.ts';
import { createQueueWorker } from '../../workers/queue-worker.ts';

const DELAY_MS = 200;
const ATTEMPTS = 4;
const MAX_LATE_MS = 400;

describe('Delayed jobs', () => {
  it('a delayed job starts when it is due, and not at the next whole second', async () => {
    const connection = blockingRedis();
    const worker = createQueueWorker('files', { connection, concurrency: 1 });
    try {
      const waits: number[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const completed = once(worker, 'completed');
        await enqueue('files.make-thumbnail', { id_project: newId(), file: newId() }, DELAY_MS);
        const [{ timestamp, processedOn }] = await completed;
        waits.push(processedOn - timestamp);
      }
      expect(Math.min(...waits), waits.join(' ms, ')).to.be.within(DELAY_MS - 5, DELAY_MS + MAX_LATE_MS);
    } finally {
      await worker.close();
      connection.disconnect();
    }
  });
});
