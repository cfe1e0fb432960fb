import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as projects from '#shared/domain/projects/projects.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { times } from '../../support/fleet-fixture.ts';
import { aPerson, aVisitor } from '../../support/people.ts';
import { api } from '../../support/api.ts';
import { aSystem } from '../../support/operation-commands.ts';

const CONN = Number(process.env.CONN ?? 1);
const N = Number(process.env.N ?? 6);
const P = Number(process.env.P ?? 2);

describe('explore', function explore() {
  this.timeout(400_000);
  it('counts', async () => {
    const s = await aSystem();
    const all = await Promise.all(times(P, async () => {
      const owner = await aPerson({ emailverified: true });
      const id = await projects.create({ name: 'P' }, owner);
      await ProjectUser.updateMany({ id_project: id }, { max_assigned_chat: 100000 });
      return { id, owner };
    }));
    const total = N + P;
    const scenes = await Promise.all(times(total, async (i) => ({ ...all[i % P]!, guest: await aVisitor(all[i % P]!.id), req: `support-group-${randomUUID()}` })));
    const measure = async (name: string, op: (i: number) => Promise<{ status: number; text: string }>) => {
      const run = async (i: number) => { const r = await op(i); if (r.status !== 200) throw new Error(r.text); };
      for (let i = 0; i < P; i++) await run(i);
      await s.settle();
      const from = s.noted.length; const t0 = Date.now();
      await sleep(1500);
      const idle = s.noted.slice(from).filter((c) => !s.isTest(c)); const idleMs = Date.now() - t0;
      const start = s.noted.length; const t1 = Date.now();
      let next = P;
      await Promise.all(times(CONN, async () => { while (next < total) { const i = next++; await run(i); if (CONN === 1) await s.settle(); } }));
      await s.settle();
      const busy = s.noted.slice(start).filter((c) => !s.isTest(c));
      const ratio = (Date.now() - t1) / idleMs;
      const counts = new Map<string, number>();
      const key = (c: (typeof busy)[0]) => `${c.name} ${c.collection} ${c.stack.slice(0, 3).join(' < ')}`;
      for (const c of busy) counts.set(key(c), (counts.get(key(c)) ?? 0) + 1);
      for (const c of idle) counts.set(key(c), (counts.get(key(c)) ?? 0) - ratio);
      const rows = [...counts].map(([k, n]) => [k, n / N] as const).filter(([, n]) => n > 0.1).sort((a, b) => b[1] - a[1]);
      console.log(`\n== ${name}: ${rows.reduce((a, [, n]) => a + n, 0).toFixed(1)} commands; idle ${(idle.length / idleMs * 1000).toFixed(1)}/s`);
      for (const [k, n] of rows) console.log(n.toFixed(2).padStart(6), k);
      await writeFile(`/tmp/c20/${name.replaceAll(' ', '-')}.json`, JSON.stringify(busy, null, 1));
    };
    const post = (i: number, caller: { id: string; authorization: string }) =>
      api(caller).post(`/v3/${scenes[i]!.id}/requests/${scenes[i]!.req}/messages`, { text: 'Where is my order?' });
    await measure('first message', (i) => post(i, scenes[i]!.guest));
    await measure('visitor message', (i) => post(i, scenes[i]!.guest));
    await measure('agent message', (i) => post(i, scenes[i]!.owner));
    if (!process.env.SHORT) await measure('close', (i) => api(scenes[i]!.owner).put(`/v3/${scenes[i]!.id}/requests/${scenes[i]!.req}/close`));
    await s.close();
  });
});
