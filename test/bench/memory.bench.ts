/** Memory of an API process under slow readers of the largest conversation, open streams and imports, all at once. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { call, type Caller } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { anOperator, aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { upTo } from '../support/stream.ts';

const READERS = 50;
const STREAMS = 200;
const VISITORS = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const MEGABYTE = 1_000_000;
const MOST_MB = 600;
const TEXT = 'x'.repeat(31_000);

const messages = (count: number) => upTo(count).map(() => ({ text: TEXT }));

/** Bytes of the process in memory, as it says itself. */
const residentOf = async (url: string, { authorization }: Caller): Promise<number> => {
  const { text } = await call('GET', `${url}/metrics`, { headers: { authorization } });
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
};

describe('Memory of an API process', function () {
  this.timeout(600_000);

  it(`stays under ${MOST_MB} MB with ${READERS} slow readers, ${STREAMS} streams and ${VISITORS} imports at once`, async () => {
    const api = await anApiProcess();
    const sockets: Socket[] = [];
    try {
      const [{ project, agent, guest }, operator] = await Promise.all([aProject(), anOperator()]);
      const pathOf = (conversation: string) => `/v3/${project.id}/requests/${conversation}/messages`;
      const post = ({ authorization }: Caller, path: string, body: unknown) =>
        call('POST', api.url + path, { headers: { authorization }, body });
      const large = `support-group-${project.id}-${randomUUID()}`;
      await post(guest, pathOf(large), { text: 'Hello' });
      for (const _ of upTo(7)) {
        const { status, text } = await post(agent, `${pathOf(large)}/multi`, messages(150));
        expect(status, text).to.equal(200);
      }
      const visitors = await Promise.all(upTo(VISITORS).map(() => aVisitor(project.id)));
      const open = async (path?: string) =>
        void sockets.push(await aSlowReader(api.url, { caller: agent, project: project.id, bytes: 1000, path }));
      await Promise.all(upTo(STREAMS).map(() => open()));
      await Promise.all(upTo(READERS).map(() => open(pathOf(large))));
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
        `      ${(peak / MEGABYTE).toFixed(0)} MB at most; ${imported} imports of 310 KB; the conversation has ${(sent.text.length / MEGABYTE).toFixed(1)} MB on a page`,
      );
      expect(imported).to.be.greaterThan(0);
      expect(peak / MEGABYTE).to.be.lessThan(MOST_MB);
    } finally {
      const open = sockets.filter(({ closed }) => !closed);
      await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
      await api.stop('SIGKILL');
    }
  });
});
