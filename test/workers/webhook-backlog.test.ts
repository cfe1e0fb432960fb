/** A backlog of deliveries that no new event wakes up. */
import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { SLOTS_PER_RECEIVER } from '#shared/domain/webhooks/delivery-queue.ts';
import { replayDeliveries } from '#shared/domain/webhooks/replay.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import sweepDeliveriesJob from '../../workers/maintenance/sweep-deliveries.ts';
import { aBotServer } from '../support/bots.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const CONVERSATIONS = 32;
const FIRST_CONVERSATION = 8;

/** A trusted receiver, and due deliveries to it: eight of the first conversation, and one of each other. */
const aBacklog = async () => {
  await initCursors();
  const server = await aBotServer();
  const { project } = await aProject();
  const id_project = project.id;
  const [created] = await Subscription.create([
    { id_project, event: 'message.create', target: server.url, createdBy: 'test' },
  ]);
  const subscription = String(created?._id);
  await WebhookCircuit.create([{ _id: subscription, id_project, failures: 0 }]);
  const sequences = [...times(FIRST_CONVERSATION, () => 0), ...times(CONVERSATIONS, (n) => n)];
  const now = new Date();
  await WebhookDelivery.create(
    sequences.map((sequence, n) => ({
      ...{ _id: `${subscription} ${n}`, id_project, subscription, receiver: new URL(server.url).host },
      ...{
        sequence: `s ${sequence}`,
        event: 'message.create',
        event_id: `e ${n}`,
        position: String(n).padStart(4, '0'),
      },
      ...{ dueAt: new Date(now.getTime() - 1000 + n), retryUntil: now, test_payload: { n } },
    })),
  );
  return { ...server, id_project, subscription, count: sequences.length };
};

describe('A backlog of deliveries', () => {
  const wakeUps: Record<string, (backlog: Awaited<ReturnType<typeof aBacklog>>) => Promise<unknown>> = {
    'a sweep': () => sweepDeliveriesJob({}, new AbortController().signal),
    'a replay': (key) => replayDeliveries(key, {}),
  };
  for (const [name, wake] of Object.entries(wakeUps))
    it(`is made with all slots of the receiver until it ends, without a new event, after ${name}`, async () => {
      const backlog = await aBacklog();
      const { hold, concurrency, calls, count } = backlog;
      const release = hold();
      await wake(backlog);
      const finished = runJobs();
      await waitUntil(() => concurrency.current === SLOTS_PER_RECEIVER);
      release();
      await waitUntil(() => calls.length >= count / 2);
      const releaseAgain = hold();
      await waitUntil(() => concurrency.current === SLOTS_PER_RECEIVER || calls.length === count);
      const whileHeld = { current: concurrency.current, isOver: calls.length === count };
      releaseAgain();
      await finished;
      expect(whileHeld).to.deep.equal({ current: SLOTS_PER_RECEIVER, isOver: false });
      expect(concurrency.max).to.equal(SLOTS_PER_RECEIVER);
      await waitUntil(async () => {
        await runJobs();
        return new Set(calls.map(({ body }) => body.payload.n)).size === count;
      });
    });
});
