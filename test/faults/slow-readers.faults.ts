/** F23 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { anApiProcess } from '../support/api-process.ts';
import { appendChanges } from '../support/append-changes.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader, memoryBytes } from '../support/slow-readers.ts';
import { openStream } from '../support/stream-client.ts';

const READER_COUNT = Number(process.env.FAULT_READERS ?? 500);
const EVENT_COUNT = 2000;
const MEGABYTE = 1_000_000;

/** Returns the lowest of several measurements of memory, in MB: garbage collection makes the memory fluctuate. */
const lowestMemory = async (url: string, sampleCount = 60): Promise<number> => {
  let lowest = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < sampleCount; sample += 1) lowest = Math.min(lowest, await memoryBytes(url));
  return lowest / MEGABYTE;
};

describe('Many slow readers of a stream', function () {
  this.timeout(600_000);

  it(`F23: ${READER_COUNT} stream readers at 1 KB per second use at most 64 MB of memory`, async () => {
    const { project, agent } = await aProject();
    const api = await anApiProcess({ RATE_LIMIT_POINTS: '1000000' });
    try {
      await (await openStream(agent, project.id, { url: api.url })).frame();
      const before = await lowestMemory(api.url);
      const slow = { caller: agent, project: project.id, bytesPerSecond: 1000 };
      const readers = await Promise.all(Array.from({ length: READER_COUNT }, () => aSlowReader(api.url, slow)));
      const full = await openStream(agent, project.id, { url: api.url });
      const padding = 'x'.repeat(2000);
      for (let sent = 0; sent < EVENT_COUNT; sent += 20) {
        await appendChanges(project.id, ...Array.from({ length: 20 }, () => ({ payload: { padding } })));
        expect(await full.take(20)).to.have.lengthOf(20);
      }
      const more = (await lowestMemory(api.url)) - before;
      console.log(`      ${more.toFixed(1)} MB for ${READER_COUNT} readers of ${EVENT_COUNT} events`);
      expect(more).to.be.lessThan(64);
      for (const reader of readers) reader.destroy();
    } finally {
      await api.stop('SIGKILL');
    }
  });
});
