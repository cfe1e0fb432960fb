/**
 * Subscriptions whose receivers fail for hours or days (F25: docs/failures.md). The tests simulate elapsed time by
 * moving the stored times into the past.
 */
import { expect } from 'chai';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { aReceiver, countOpen, deliverWebhooks, retryWebhooks } from '../support/webhooks.ts';

const HALF_AN_HOUR_MS = 1_800_000;
const HALF_HOURS = 12;
const DAY_MS = 86_400_000;

const STORED_TIMES = ['createdAt', 'retryUntil', 'freesSequenceAt', 'failingSince'];

/** Lets time pass for the deliveries and circuits of a project. */
const passTime = async (id_project: string, ms: number): Promise<void> => {
  for (const { collection } of [WebhookDelivery, WebhookCircuit])
    for (const field of STORED_TIMES)
      await collection.updateMany({ id_project, [field]: { $exists: true } }, [
        { $set: { [field]: { $subtract: [`$${field}`, ms] } } },
      ]);
};

/** Makes the retries of open deliveries due in a day, so that none happens while a slow machine runs the test. */
const postponeRetries = (id_project: string) =>
  WebhookDelivery.updateMany(
    { id_project, dueAt: { $exists: true } },
    { $set: { dueAt: new Date(Date.now() + DAY_MS) } },
  );

const aScene = async () => {
  const { project, guest, owner } = await aProject();
  const receiver = await aReceiver(project.id);
  return {
    ...{ id: project.id, receiver },
    post: (conversation: string, text: string) =>
      api(guest).post(`/v3/${project.id}/requests/${conversation}/messages`, { text }),
    subscription: async () => (await api(owner).get(`/v3/${project.id}/subscriptions/${receiver.id}`)).body,
    answer: (status: number, count = 1000) => receiver.answers.splice(0, Infinity, ...times(count, () => ({ status }))),
  };
};

describe('Outages of webhook receivers', () => {
  it('a receiver that is down for six hours receives all events afterwards, in order', async () => {
    const { id, receiver, post, answer } = await aScene();
    answer(503);
    for (const halfHour of times(HALF_HOURS, Number)) {
      for (const conversation of ['one', 'two']) await post(conversation, `${conversation} ${halfHour}`);
      await deliverWebhooks(id);
      await passTime(id, HALF_AN_HOUR_MS);
      await retryWebhooks(id);
    }
    const attempts = receiver.calls.length;
    expect(attempts, 'attempts during the outage').to.be.within(9, 2 * HALF_HOURS + 2);
    answer(200, 0);
    for (let pass = 0; pass < 5 && (await countOpen(id)); pass += 1) await retryWebhooks(id);
    const delivered = receiver.calls.slice(attempts).map(({ body }) => body.payload.text);
    for (const conversation of ['one', 'two'])
      expect(delivered.filter((text) => text.startsWith(conversation))).to.deep.equal(
        times(HALF_HOURS, (halfHour) => `${conversation} ${halfHour}`),
      );
    expect(await WebhookDelivery.countDocuments({ id_project: id, deliveredAt: { $exists: true } })).to.equal(
      2 * HALF_HOURS,
    );
  });

  for (const status of [404, 301, 503])
    it(`F25: five days of ${status} responses without a success disable a subscription`, async () => {
      const { id, post, subscription, answer } = await aScene();
      answer(status);
      await post('one', 'First');
      await deliverWebhooks(id);
      await passTime(id, 5 * DAY_MS - 60_000);
      await post('two', 'Just before');
      await retryWebhooks(id);
      await deliverWebhooks(id);
      expect(await subscription()).to.include({ enabled: true });
      await passTime(id, 120_000);
      await retryWebhooks(id);
      const { enabled, disabled_reason } = await subscription();
      expect(enabled).to.equal(false);
      expect(disabled_reason).to.match(
        new RegExp(
          `^The receiver has accepted no event since \\S+Z; the last attempt: The receiver returned ${status}\\. Once`,
        ),
      );
      expect(await countOpen(id)).to.equal(0);
      const errors = await WebhookDelivery.distinct('error', { id_project: id, given_up: true });
      expect(errors).to.deep.equal([disabled_reason.split('. Once')[0]]);
    });

  it('a success between rejected events keeps a subscription enabled', async () => {
    const { id, receiver, post, subscription } = await aScene();
    receiver.answers.push({ status: 404 }, { status: 200 }, { status: 404 });
    await post('one', 'Rejected');
    await deliverWebhooks(id);
    await postponeRetries(id);
    await passTime(id, 3 * DAY_MS);
    await post('two', 'Accepted');
    await deliverWebhooks(id);
    await passTime(id, 3 * DAY_MS);
    await post('three', 'Rejected again');
    await deliverWebhooks(id);
    expect(receiver.calls.map(({ body }) => body.payload.text)).to.deep.equal([
      ...['Rejected', 'Accepted', 'Rejected again'],
    ]);
    expect(await subscription()).to.include({ enabled: true });
  });

  it('a 422 response closes an open circuit, because the receiver works again, and events of other conversations are delivered', async () => {
    const { id, receiver, post, answer } = await aScene();
    answer(503, 3);
    await post('one', 'Rejected');
    await deliverWebhooks(id);
    await retryWebhooks(id);
    await retryWebhooks(id);
    await post('two', 'Accepted');
    await deliverWebhooks(id);
    expect(receiver.calls, 'the circuit is open').to.have.length(3);
    receiver.answers.push({ status: 422 });
    await retryWebhooks(id);
    await deliverWebhooks(id);
    const texts = receiver.calls.slice(3).map(({ body }) => body.payload.text);
    expect(texts).to.include.members(['Rejected', 'Accepted']);
  });
});
