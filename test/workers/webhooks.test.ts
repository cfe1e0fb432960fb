/** Delivery of events to subscriptions, and attacks on it (A18: docs/attacks.md). */
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Subscription } from '#shared/models/subscription.ts';
import { WebhookAttempt } from '#shared/models/webhook-attempt.ts';
import { findOverdue } from '#shared/domain/webhooks/delivery-queue.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import deliverJob from '../../workers/webhooks/deliver.ts';
import type { BotServerCall } from '../support/bots.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { aReceiver, countOpen, deliverWebhooks, retryWebhooks } from '../support/webhooks.ts';

const aProjectWithReceiver = async (event?: string) => {
  const { project, guest, owner, ...others } = await aProject();
  const receiver = await aReceiver(project.id, event);
  const post = (conversation: string, text: string) =>
    api(guest).post(`/v3/${project.id}/requests/${conversation}/messages`, { text });
  const texts = () => receiver.calls.map(({ body }) => body.payload.text);
  return { ...others, id: project.id, owner, guest, receiver, post, texts };
};

const headersOf = ({ headers }: BotServerCall) => headers as Record<string, string>;
const failTimes = (count: number, status = 500) => Array.from({ length: count }, () => ({ status }));

describe('Webhooks', () => {
  it('an event is delivered with its payload, its subscription, a token and a signature', async () => {
    const { id, owner, receiver, post } = await aProjectWithReceiver();
    const { body: message } = await post('first', 'Hello');
    await deliverWebhooks(id);
    expect(receiver.calls).to.have.length(1);
    const call = receiver.calls[0] as BotServerCall;
    expect(call.method).to.equal('POST');
    expect(call.headers).to.include({ 'content-type': 'application/json', 'user-agent': 'tiledesk-webhooks' });
    expect(call.headers).to.not.have.property('x-hook-secret');
    expect(call.body).to.have.all.keys('timestamp', 'payload', 'hook', 'token');
    expect(call.body.timestamp).to.be.closeTo(Date.now(), 60_000);
    expect(call.body.payload).to.include({ _id: message._id, text: 'Hello' });
    expect(call.body.payload.request).to.include({ request_id: 'first' });
    expect(call.body.hook).to.include({ _id: receiver.id, event: 'message.create', id_project: id });
    expect(JSON.stringify(call.body)).to.not.include(receiver.secret);
    const verified = new Webhook(receiver.secret, { format: 'raw' }).verify(JSON.stringify(call.body), headersOf(call));
    expect(verified).to.deep.equal(call.body);
    const asSubscription = { id: receiver.id, authorization: `JWT ${call.body.token}` };
    expect((await api(asSubscription).get(`/v3/${id}/requests/first`)).status).to.equal(200);
    expect((await api(owner).get(`/v3/${id}/subscriptions/${receiver.id}`)).body).to.include({ enabled: true });
  });

  it('a failed delivery is retried with the same id, before later deliveries of its conversation', async () => {
    const { id, receiver, post, texts } = await aProjectWithReceiver();
    await post('one', 'First');
    await post('one', 'Second');
    receiver.answers.push({ status: 500 });
    await deliverWebhooks(id);
    expect(texts()).to.deep.equal(['First']);
    await retryWebhooks(id);
    expect(texts()).to.deep.equal(['First', 'First', 'Second']);
    const [first, again, second] = receiver.calls.map((call) => headersOf(call)['webhook-id']);
    expect(again).to.equal(first);
    expect(second).to.not.equal(first);
    expect(await countOpen(id)).to.equal(0);
  });

  it('a failed delivery waits as long as Retry-After (seconds or a date) requires, but at most an hour', async () => {
    const { id, receiver, post } = await aProjectWithReceiver();
    const inHalfAnHour = new Date(Date.now() + 1_800_000).toUTCString();
    for (const [header, minutes] of [
      ['600', 10],
      [inHalfAnHour, 30],
      ['86400', 60],
    ] as const) {
      receiver.answers.push({ status: 422, headers: { 'retry-after': header } });
      await post(`after ${header}`, header);
      await deliverWebhooks(id);
      const { dueAt } = await WebhookDelivery.findOne({ id_project: id }).sort({ position: -1 }).orFail().lean();
      expect((dueAt?.getTime() ?? 0) - Date.now(), header).to.be.within((minutes - 2) * 60_000, minutes * 60_000);
    }
  });

  it('a rejected event holds back only its own conversation, and for at most a minute', async () => {
    const { id, receiver, post, texts } = await aProjectWithReceiver();
    await post('one', 'Rejected');
    receiver.answers.push({ status: 422 });
    await deliverWebhooks(id);
    await post('one', 'Held back');
    await post('two', 'Of another conversation');
    await deliverWebhooks(id);
    expect(texts()).to.deep.equal(['Rejected', 'Of another conversation']);
    const secondAgo = new Date(Date.now() - 1000);
    const rejected = { id_project: id, attemptsMade: 1, dueAt: { $exists: true } };
    const later = new Date(Date.now() + 100_000);
    await WebhookDelivery.updateMany({ id_project: id, dueAt: { $exists: true } }, { $set: { dueAt: secondAgo } });
    await WebhookDelivery.updateMany(rejected, { $set: { freesSequenceAt: secondAgo, dueAt: later } });
    await post('one', 'Third');
    await deliverWebhooks(id);
    for (const sequence of await findOverdue()) await deliverJob(sequence, new AbortController().signal);
    expect(texts()).to.deep.equal(['Rejected', 'Of another conversation', 'Held back', 'Third']);
  });

  it('a receiver that is down receives only probes, and afterwards all events in order', async () => {
    const { id, receiver, post, texts } = await aProjectWithReceiver();
    receiver.answers.push(...failTimes(5));
    for (const text of ['1', '2', '3']) await post('one', text);
    for (const text of ['a', 'b']) await post('two', text);
    await deliverWebhooks(id);
    for (let retry = 0; retry < 8 && receiver.answers.length; retry += 1) await retryWebhooks(id);
    expect(receiver.answers).to.have.length(0);
    expect(receiver.calls.length).to.be.at.most(6);
    await post('one', '4');
    await deliverWebhooks(id);
    await retryWebhooks(id);
    const delivered = (wanted: RegExp) => [...new Set(texts().filter((text) => wanted.test(text)))];
    expect(delivered(/\d/)).to.deep.equal(['1', '2', '3', '4']);
    expect(delivered(/[ab]/)).to.deep.equal(['a', 'b']);
    expect(await countOpen(id)).to.equal(0);
  });

  it('a delivery is given up only after 8 attempts, even if its retry period has ended, and each attempt is logged', async () => {
    const { id, receiver, post } = await aProjectWithReceiver();
    receiver.answers.push(...failTimes(20));
    await post('one', 'Never accepted');
    await deliverWebhooks(id);
    const expired = { $set: { retryUntil: new Date() } };
    await WebhookDelivery.updateMany({ id_project: id }, expired);
    for (let attempt = 2; attempt <= 7; attempt += 1) await retryWebhooks(id);
    expect(await countOpen(id), 'after 7 attempts').to.equal(1);
    await retryWebhooks(id);
    expect(await countOpen(id), 'after 8 attempts').to.equal(0);
    expect(receiver.calls).to.have.length(8);
    const attempts = await WebhookAttempt.find({ id_project: id }).sort({ attempt: 1 }).lean();
    expect(attempts.map(({ attempt, status }) => [attempt, status])).to.deep.equal(
      Array.from({ length: 8 }, (_, index) => [index + 1, 500]),
    );
    expect(attempts[0]).to.include({ body: 'thank you', delivery: attempts[7]?.delivery });
  });

  it('the status 410 disables a subscription, which reports the reason', async () => {
    const { id, owner, receiver, post } = await aProjectWithReceiver();
    receiver.answers.push({ status: 410 });
    await post('one', 'Hello');
    await post('two', 'Hello');
    await deliverWebhooks(id);
    await retryWebhooks(id);
    const { body } = await api(owner).get(`/v3/${id}/subscriptions/${receiver.id}`);
    expect(body).to.include({ enabled: false, disabled_reason: 'The receiver returned 410' });
    expect(body.disabled_at).to.be.a('string');
    expect(receiver.calls).to.have.length(1);
    expect(await countOpen(id)).to.equal(0);
  });

  it('A18: a redirect is not followed, and a private target is not called', async () => {
    const { id, receiver, post } = await aProjectWithReceiver();
    const other = await aReceiver(id, 'request.create');
    receiver.answers.push({ status: 302, headers: { location: other.url } });
    await Subscription.updateOne({ _id: other.id, id_project: id }, { target: 'http://10.0.0.1/hook' });
    await post('one', 'Hello');
    await deliverWebhooks(id);
    expect(other.calls).to.have.length(0);
    const errors = (await WebhookAttempt.find({ id_project: id }).lean()).map(({ err }) => err);
    expect(errors).to.have.length(2);
    expect(errors.join(' ')).to.include('redirects').and.include('not a public web address');
  });

  it('no delivery is stored for an event without a subscription', async () => {
    const { id, receiver, post } = await aProjectWithReceiver('lead.delete');
    await post('one', 'Hello');
    await deliverWebhooks(id);
    expect(receiver.calls).to.have.length(0);
    expect(await WebhookDelivery.countDocuments({ id_project: id })).to.equal(0);
  });

  it('A18: during the rotation of a secret, deliveries are signed with both secrets, and the standardwebhooks package accepts both', async () => {
    const { id, owner, receiver, post } = await aProjectWithReceiver();
    const path = `/v3/${id}/subscriptions/${receiver.id}/secret`;
    const { body: rotated } = await api(owner).put(path, {});
    await post('one', 'Hello');
    await deliverWebhooks(id);
    const call = receiver.calls[0] as BotServerCall;
    expect(String(call.headers['webhook-signature']).split(' ')).to.have.length(2);
    for (const secret of [receiver.secret, rotated.secret])
      new Webhook(secret, { format: 'raw' }).verify(JSON.stringify(call.body), headersOf(call));
    await api(owner).put(path, { overlap_seconds: 0 });
    await post('one', 'Hello again');
    await deliverWebhooks(id);
    const last = receiver.calls.at(-1) as BotServerCall;
    expect(() =>
      new Webhook(rotated.secret, { format: 'raw' }).verify(JSON.stringify(last.body), headersOf(last)),
    ).to.throw();
  });

  it('the history lists the attempts, a test sends an event, and a replay repeats deliveries with the same ids', async () => {
    const { id, owner, receiver, post, texts } = await aProjectWithReceiver();
    const path = `/v3/${id}/subscriptions`;
    receiver.answers.push({ status: 200 }, { status: 422 });
    for (const text of ['1', '2', '3']) await post(text, text);
    await deliverWebhooks(id);
    const tested = await api(owner).post(`${path}/test`, { subscription: receiver.id });
    await deliverWebhooks(id);
    expect(receiver.calls.at(-1)?.headers['webhook-id']).to.equal(tested.body.delivery);
    const { body: history } = await api(owner).get(`${path}/history?subscription=${receiver.id}`);
    expect(history).to.have.length(4);
    expect(history[0]).to.include({ event: 'webhook.test', status: 200, attempt: 1, target: receiver.url });
    expect(history.filter(({ status }: { status: number }) => status === 422)).to.have.length(1);
    expect(JSON.stringify(history)).to.not.include(receiver.secret).and.not.include('token');
    const ids = receiver.calls.slice(0, 3).map((call) => headersOf(call)['webhook-id']);
    const before = texts().length;
    const replayed = await api(owner).post(`${path}/${receiver.id}/replay`, { delivery: ids[0] });
    expect(replayed.body).to.deep.equal({ count: 1 });
    await deliverWebhooks(id);
    expect(texts().length).to.be.greaterThan(before);
    expect(receiver.calls.map((call) => headersOf(call)['webhook-id']).lastIndexOf(ids[0])).to.be.at.least(before);
    expect((await api(owner).post(`${path}/${receiver.id}/replay`, { delivery: 'unknown' })).status).to.equal(404);
    const future = { after: new Date(Date.now() + 100_000).toISOString() };
    expect((await api(owner).post(`${path}/${receiver.id}/replay`, future)).body).to.deep.equal({ count: 0 });
    expect((await api(owner).post(`${path}/${receiver.id}/replay`, {})).body.count).to.be.at.least(3);
  });

  it('a subscription can be changed, disabled, enabled and deleted', async () => {
    const { id, owner, receiver, post, texts } = await aProjectWithReceiver();
    const path = `/v3/${id}/subscriptions/${receiver.id}`;
    expect((await api(owner).put(path, { enabled: false })).body).to.include({ enabled: false });
    await post('one', 'While disabled');
    await deliverWebhooks(id);
    expect((await api(owner).put(path, { enabled: true })).body).to.include({ enabled: true });
    await post('one', 'While enabled');
    await deliverWebhooks(id);
    expect(texts()).to.deep.equal(['While enabled']);
    expect((await api(owner).put(path, { event: 'no.such.event' })).status).to.equal(422);
    expect((await api(owner).put(path, { event: 'message.create.first' })).status).to.equal(200);
    await post('two', 'First of its conversation');
    await post('two', 'Second');
    await deliverWebhooks(id);
    expect(texts()).to.deep.equal(['While enabled', 'First of its conversation']);
    expect((await api(owner).delete(path)).body).to.include({ _id: receiver.id });
    expect((await api(owner).get(path)).status).to.equal(404);
  });
});
