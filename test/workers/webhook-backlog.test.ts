/** A backlog of deliveries for which no new event sends a wake-up. */
import { expect } from 'chai';
import { replayDeliveries } from '#shared/domain/webhooks/replay.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { WebhookReceiver } from '#shared/models/webhook-receiver.ts';
import { SLOTS_PER_RECEIVER } from '../../workers/deliveries/receiver-pump.ts';
import sweepDeliveriesJob from '../../workers/maintenance/sweep-deliveries.ts';
import deliverJob from '../../workers/webhooks/deliver.ts';
import { times } from '../support/fleet-fixture.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aBacklog } from '../support/webhook-backlogs.ts';
import { countOpen } from '../support/webhooks.ts';

const CONVERSATIONS = 200;
const MORE_OF_FIRST = 8;

/** Due deliveries: one for each conversation, and eight more for the first conversation. */
const aMixedBacklog = () => aBacklog([...times(MORE_OF_FIRST, () => 0), ...times(CONVERSATIONS, (n) => n)]);

describe('A backlog of deliveries', () => {
  const wakeUps: Record<string, (backlog: Awaited<ReturnType<typeof aMixedBacklog>>) => Promise<unknown>> = {
    'a sweep': () => sweepDeliveriesJob({}, new AbortController().signal),
    'a replay': (key) => replayDeliveries(key, {}),
  };
  for (const [name, wake] of Object.entries(wakeUps))
    it(`keeps all slots of its receiver in use after ${name}, without a new event`, async () => {
      const backlog = await aMixedBacklog();
      const { hold, concurrency, calls, count } = backlog;
      const release = hold();
      await wake(backlog);
      const finished = runJobs();
      await waitUntil(() => concurrency.current === SLOTS_PER_RECEIVER);
      release();
      await waitUntil(() => calls.length >= count / 4);
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

  it('is delivered by one job, and a second job for the same receiver delivers nothing', async () => {
    const { id_project, receiver, calls, count, hold } = await aMixedBacklog();
    const deliver = () => deliverJob({ id_project, receiver }, new AbortController().signal);
    const release = hold();
    const delivering = deliver();
    await waitUntil(() => calls.length > 0);
    await deliver();
    release();
    await delivering;
    expect(calls).to.have.length(count);
    expect(await countOpen(id_project)).to.equal(0);
  });

  it('is taken over when the lease of a killed worker ends', async () => {
    const { id_project, receiver, calls, count } = await aMixedBacklog();
    const deliver = () => deliverJob({ id_project, receiver }, new AbortController().signal);
    const lease = { _id: `${id_project} ${receiver}`, id_project, receiver, holder: 'killed' };
    await WebhookReceiver.create([{ ...lease, leaseEnd: new Date(Date.now() + 60_000) }]);
    await deliver();
    expect(calls).to.have.length(0);
    await WebhookReceiver.updateOne({ _id: lease._id, id_project }, { leaseEnd: new Date() });
    await deliver();
    expect(calls).to.have.length(count);
  });

  it('includes deliveries that become due while the job waits for the answer to a delivery of another conversation', async () => {
    const { id_project, receiver, subscription, calls, hold } = await aBacklog([0, 1]);
    const second = { id_project, _id: `${subscription} 1` };
    await WebhookDelivery.updateOne(second, { dueAt: new Date(Date.now() + 60_000) });
    const release = hold();
    const delivering = deliverJob({ id_project, receiver }, new AbortController().signal);
    await waitUntil(() => calls.length === 1);
    await WebhookDelivery.updateOne(second, { dueAt: new Date() });
    await waitUntil(() => calls.length === 2);
    release();
    await delivering;
  });
});
