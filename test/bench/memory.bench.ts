/**
 * Measures the memory of an API process with slow readers of a very long conversation, open streams and imports of
 * messages at the same time.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Caller, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { anInstanceAdmin, aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { numbersBelow } from '../support/stream-client.ts';

const READER_COUNT = 50;
const STREAM_COUNT = 200;
const VISITOR_COUNT = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const MEGABYTE = 1_000_000;
const MAX_MB = 600;
const TEXT = 'x'.repeat(31_000);

const messages = (count: number) => numbersBelow(count).map(() => ({ text: TEXT }));

/** Returns the resident memory of an API process according to its metrics, in bytes. */
const residentOf = async (url: string, { authorization }: Caller): Promise<number> => {
  const { text } = await call('GET', `${url}/metrics`, { headers: { authorization } });
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
};

describe('Memory benchmark of an API process', function () {
  this.timeout(600_000);

  it(`an API process stays under ${MAX_MB} MB with ${READER_COUNT} slow readers, ${STREAM_COUNT} streams and ${VISITOR_COUNT} imports of messages at the same time`, async () => {
    const api = await anApiProcess();
    const sockets: Socket[] = [];
    try {
      const [{ project, agent, guest }, operator] = await Promise.all([aProject(), anInstanceAdmin()]);
      const pathOf = (conversation: string) => `/v3/${project.id}/requests/${conversation}/messages`;
      const post = ({ authorization }: Caller, path: string, body: unknown) =>
        call('POST', api.url + path, { headers: { authorization }, body });
      const large = `support-group-${project.id}-${randomUUID()}`;
      await post(guest, pathOf(large), { text: 'Hello' });
      for (const _ of numbersBelow(7)) {
        const { status, text } = await post(agent, `${pathOf(large)}/multi`, messages(150));
        expect(status, text).to.equal(200);
      }
      const visitors = await Promise.all(numbersBelow(VISITOR_COUNT).map(() => aVisitor(project.id)));
      const open = async (path?: string) =>
        void sockets.push(
          await aSlowReader(api.url, { caller: agent, project: project.id, bytesPerSecond: 1000, path }),
        );
      await Promise.all(numbersBelow(STREAM_COUNT).map(() => open()));
      await Promise.all(numbersBelow(READER_COUNT).map(() => open(pathOf(large))));
      let peak = 0;
      let imported = 0;
      const end = performance.now() + SECONDS * 1000;
      const imports = visitors.map(async (visitor) => {
        while (performance.now() < end) {
          const path = pathOf(`support-group-${project.id}-${randomUUID()}`);
          await post(visitor, path, { text: 'Hello' });
          const { status } = await post(visitor, `${path}/multi`, messages(10));
          imported += Number(status === 200);
          if (status === 429) await sleep(1000);
        }
      });
      while (performance.now() < end) {
        peak = Math.max(peak, await residentOf(api.url, operator));
        await sleep(200);
      }
      await Promise.all(imports);
      const sent = await call('GET', `${api.url}${pathOf(large)}`, { headers: { authorization: agent.authorization } });
      console.log(
        `      ${(peak / MEGABYTE).toFixed(0)} MB at most; ${imported} imports of 310 KB; one page of the conversation is ${(sent.text.length / MEGABYTE).toFixed(1)} MB`,
      );
      expect(imported).to.be.greaterThan(0);
      expect(peak / MEGABYTE).to.be.lessThan(MAX_MB);
    } finally {
      const open = sockets.filter(({ closed }) => !closed);
      await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
      await api.stop('SIGKILL');
    }
  });
});
