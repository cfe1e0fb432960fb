/** Measures the latency of webhooks of one project, with and without receivers that hang or answer 500. */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { api } from '../support/api.ts';
import { aFleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ANSWERS, aWebhook } from '../support/webhook-trials.ts';

const HEALTHY = Number(process.env.BENCH_RECEIVERS ?? 160);
const FAULTY = HEALTHY / 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 10);
const MAX_FACTOR = 2;
const SECONDS_PER_MESSAGE = 60;

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;

const summaryOf = (sorted: number[]): string =>
  `median ${percentile(sorted, 0.5).toFixed(0)} ms, p99 ${percentile(sorted, 0.99).toFixed(0)} ms`;

describe('Webhooks benchmark', function () {
  this.timeout(1_800_000);

  it(`the p99 of ${HEALTHY} receivers is at most ${MAX_FACTOR} times as long while ${FAULTY / 2} others hang and ${FAULTY / 2} answer 500`, async () => {
    const fleet = await aFleet();
    try {
      const { project, owner } = await aProject();
      const id_project = project.id;
      const make = (count: number, answer: Parameters<typeof aWebhook>[1]) =>
        Promise.all(times(count, () => aWebhook(id_project, answer)));
      const healthy = await make(HEALTHY, ANSWERS.accept);
      const faulty = [...(await make(FAULTY / 2, ANSWERS.hang)), ...(await make(FAULTY / 2, ANSWERS.fail))];
      const ids = faulty.map(({ subscription }) => subscription);
      await fleet.worker();

      /** Posts messages to new conversations, each after the previous one has arrived. Returns the latencies. */
      const measure = async (count: number): Promise<number[]> => {
        const latencies: number[] = [];
        for (const text of times(count, () => randomUUID())) {
          const { status } = await api(owner).post(`/v3/${id_project}/requests/${randomUUID()}/messages`, { text });
          const answeredAt = performance.now();
          expect(status).to.equal(200);
          const arrivals = () => healthy.map(({ received }) => received.at(-1)).filter((last) => last?.text === text);
          await waitUntil(() => arrivals().length === HEALTHY, SECONDS_PER_MESSAGE);
          latencies.push(...arrivals().map((arrival) => (arrival?.at ?? Number.NaN) - answeredAt));
        }
        return latencies;
      };
      /** Enables or disables the faulty receivers. Deletes their deliveries and circuits, which is the worst case. */
      const setFaulty = async (enabled: boolean): Promise<void> => {
        await Subscription.updateMany({ id_project, _id: { $in: ids } }, { enabled });
        const ofFaulty = { id_project, subscription: { $in: ids } };
        await WebhookDelivery.deleteMany({ ...ofFaulty, holder: { $exists: false } });
        const inProgress = { ...ofFaulty, holder: { $exists: true } };
        await waitUntil(async () => !(await WebhookDelivery.exists(inProgress)), SECONDS_PER_MESSAGE);
        await WebhookDelivery.deleteMany(ofFaulty);
        await WebhookCircuit.deleteMany({ id_project, _id: { $in: ids } });
      };

      await setFaulty(false);
      await measure(3);
      const [without, during]: [number[], number[]] = [[], []];
      for (const _ of times(ROUNDS, Number)) {
        await setFaulty(false);
        without.push(...(await measure(MESSAGES)));
        await setFaulty(true);
        during.push(...(await measure(MESSAGES)));
      }
      for (const list of [without, during]) list.sort((a, b) => a - b);
      const attempts = faulty.map(({ received }) => received.length).reduce((sum, each) => sum + each, 0);
      console.log(
        `      without: ${summaryOf(without)}; during: ${summaryOf(during)} of ${during.length} deliveries; ` +
          `${attempts} attempts at the ${FAULTY} faulty receivers; load ${loadavg()[0]?.toFixed(1)}`,
      );
      expect(percentile(during, 0.99) / percentile(without, 0.99)).to.be.at.most(MAX_FACTOR);
    } finally {
      await fleet.close();
    }
  });
});
