/**
 * Measures how fast a backlog of webhooks is delivered, and the latency of webhooks of one project, with and without
 * receivers that hang or return 500.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { WebhookReceiver } from '#shared/models/webhook-receiver.ts';
import { api } from '../support/api.ts';
import { aFleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aBacklog } from '../support/webhook-backlogs.ts';
import { ANSWERS, aWebhook } from '../support/webhook-trials.ts';

const BACKLOG = Number(process.env.BENCH_BACKLOG ?? 2000);
const CONVERSATIONS = 100;
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

  it(`prints how fast ${BACKLOG} due deliveries to one receiver are made`, async () => {
    const { deliver, calls } = await aBacklog(times(BACKLOG, (n) => n % CONVERSATIONS));
    const started = performance.now();
    const commands = await commandsDuring(deliver);
    const seconds = (performance.now() - started) / 1000;
    expect(calls.length).to.equal(BACKLOG);
    console.log(
      `      ${(BACKLOG / seconds).toFixed(0)} deliveries per second, ${(commands.length / BACKLOG).toFixed(2)} commands ` +
        `per delivery; load ${loadavg()[0]?.toFixed(1)}`,
    );
  });

  it(`while ${FAULTY / 2} receivers hang and ${FAULTY / 2} return 500, the p99 latency of ${HEALTHY} others is at most ${MAX_FACTOR} times as high as usual`, async () => {
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

      /** Posts messages, each after all healthy receivers have received the previous one. Returns the latencies. */
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
      /** Enables or disables the faulty receivers. Deletes their deliveries, and closes their circuits. */
      const setFaulty = async (enabled: boolean): Promise<void> => {
        await Subscription.updateMany({ id_project, _id: { $in: ids } }, { enabled });
        const ofFaulty = { id_project, subscription: { $in: ids } };
        await WebhookDelivery.deleteMany(ofFaulty);
        const isLeased = { id_project, leaseEnd: { $gt: new Date() }, holder: { $exists: true } };
        await waitUntil(async () => !(await WebhookReceiver.exists(isLeased)), SECONDS_PER_MESSAGE);
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
        `      without faulty receivers: ${summaryOf(without)}; with them: ${summaryOf(during)} of ${during.length} deliveries; ` +
          `${attempts} attempts to deliver to the ${FAULTY} faulty receivers; load ${loadavg()[0]?.toFixed(1)}`,
      );
      expect(percentile(during, 0.99) / percentile(without, 0.99)).to.be.at.most(MAX_FACTOR);
    } finally {
      await fleet.close();
    }
  });
});
