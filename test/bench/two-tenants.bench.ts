/** What a tenant notices while another one attacks: its p99 beside each attack against its p99 without one. */
import { expect } from 'chai';
import { loadavg } from 'node:os';
import { attacks } from '../support/tenant-attacks.ts';
import { aBattlefield, flood, type Samples } from '../support/tenants.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const FACTOR = 3;
/** Long enough for what the attack has left in the queues to show. */
const KINDS = ['get', 'event', 'bot'] as const;

const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;

const shown = (samples: Samples): string =>
  KINDS.map((kind) => `${kind} ${p99(samples[kind]).toFixed(0)} ms`).join(', ');

describe('two tenants on one API and one worker', function () {
  this.timeout(300_000);

  for (const [id, prepare] of Object.entries(attacks)) {
    it(`keeps a tenant's p99 within ${FACTOR} times its idle value during attack ${id}`, async () => {
      const field = await aBattlefield();
      try {
        const neighbour = await field.neighbour();
        const requests = await prepare(await field.tenant());
        await neighbour.measure(3);
        const idle = await neighbour.measure(SECONDS);
        const attack = await flood(field.url, requests);
        const attacked = await neighbour.measure(SECONDS);
        const counts = await attack.stop();
        neighbour.close();
        console.log(`      ${id}: idle ${shown(idle)}; attacked ${shown(attacked)}; load ${loadavg()[0]?.toFixed(1)}`);
        console.log(`      responses to the attacker: ${JSON.stringify(counts)}`);
        const ratios = KINDS.map((kind) => p99(attacked[kind]) / p99(idle[kind]));
        expect(Math.max(...ratios), ratios.map((ratio) => ratio.toFixed(1)).join(' ')).to.be.at.most(FACTOR);
      } finally {
        await field.close();
      }
    });
  }
});
