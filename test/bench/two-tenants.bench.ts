/**
 * Compares the p99 latency of a tenant (a project) during each attack by another tenant with its p99 without an attack.
 * The ids of the attacks are ids of rows in docs/threats.md.
 */
import { loadavg } from 'node:os';
import { expect } from 'chai';
import { attacks } from '../support/tenant-attacks.ts';
import { anAttacker, aSharedSystem, type LatencySamples } from '../support/tenant-latency.ts';

/** An attack of one minute, the period of rate limits, includes both a burst and calls at the pace of the limits. */
const MEASURE_SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const WARM_UP_SECONDS = 5;
const MAX_FACTOR = 3;
const NEIGHBOUR_SIZE = { teammates: 20, conversations: 10 };

const OPERATION_KINDS = ['get', 'event', 'bot'] as const;

const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;

const formatSamples = (samples: LatencySamples): string =>
  OPERATION_KINDS.map((kind) => `${kind} ${p99(samples[kind]).toFixed(0)} ms`).join(', ');

describe('Two tenants on one API and one worker', function () {
  this.timeout(600_000);

  for (const [id, prepare] of Object.entries(attacks)) {
    it(`during attack ${id}, the p99 latency of another tenant is at most ${MAX_FACTOR} times as high as without an attack`, async () => {
      const system = await aSharedSystem();
      try {
        const neighbour = await system.neighbour(NEIGHBOUR_SIZE);
        const requests = await prepare(await system.tenant());
        await neighbour.measure(WARM_UP_SECONDS);
        const idle = await neighbour.measure(MEASURE_SECONDS);
        const attack = await anAttacker(system.url);
        attack.start(requests);
        const attacked = await neighbour.measure(MEASURE_SECONDS);
        const counts = await attack.stop();
        attack.close();
        neighbour.close();
        console.log(
          `      ${id}: idle ${formatSamples(idle)}; attacked ${formatSamples(attacked)}; load ${loadavg()[0]?.toFixed(1)}`,
        );
        console.log(`      responses to the attacker: ${JSON.stringify(counts)}`);
        const ratios = OPERATION_KINDS.map((kind) => p99(attacked[kind]) / p99(idle[kind]));
        expect(Math.max(...ratios), ratios.map((ratio) => ratio.toFixed(1)).join(' ')).to.be.at.most(MAX_FACTOR);
      } finally {
        await system.close();
      }
    });
  }
});
