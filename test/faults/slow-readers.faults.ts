import { expect } from 'chai';
import { anApiProcess } from '../support/api-process.ts';
import { append } from '../support/log-entries.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader, memoryOf } from '../support/slow-readers.ts';
import { openStream } from '../support/stream.ts';

const READERS = Number(process.env.FAULT_READERS ?? 500);
const EVENTS = 2000;
const MEGABYTE = 1_000_000;

/** The least of a minute's looks: garbage comes and goes. */
const settled = async (url: string, looks = 60): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks; look += 1) least = Math.min(least, await memoryOf(url));
  return least / MEGABYTE;
};

describe('Many slow readers of a stream, at length', function () {
  this.timeout(600_000);

  it(`are ${READERS} at 1 KB a second, and cost 64 MB at most (F23)`, async () => {
    const { project, agent } = await aProject();
    const api = await anApiProcess({ RATE_LIMIT_POINTS: '1000000' });
    try {
      await (await openStream(agent, project.id, { url: api.url })).frame();
      const before = await settled(api.url);
      const slow = { caller: agent, project: project.id, bytes: 1000 };
      const readers = await Promise.all(Array.from({ length: READERS }, () => aSlowReader(api.url, slow)));
      const full = await openStream(agent, project.id, { url: api.url });
      const padding = 'x'.repeat(2000);
      for (let told = 0; told < EVENTS; told += 20) {
        await append(project.id, ...Array.from({ length: 20 }, () => ({ payload: { padding } })));
        expect(await full.take(20)).to.have.lengthOf(20);
      }
      const more = (await settled(api.url)) - before;
      console.log(`      ${more.toFixed(1)} MB for ${READERS} readers of ${EVENTS} events`);
      expect(more).to.be.lessThan(64);
      for (const reader of readers) reader.destroy();
    } finally {
      await api.stop('SIGKILL');
    }
  });
});
