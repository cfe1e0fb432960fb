/** Quotas: what the field `profile.quotes` of a project limits, and how usage is counted. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addUsage, assertTokenQuota } from '#shared/domain/quotas/quotas.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Mail } from '#shared/models/mail.ts';
import { Message } from '#shared/models/message.ts';
import { QuotaUsage } from '#shared/models/quota-usage.ts';
import { api, type Caller } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aTextBody } from '../support/content-bodies.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { setQuotas } from '../support/quotas.ts';

const DAY_MS = 86_400_000;
const FULL = 'Maximum number of resources reached for the current plan';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** A project with the given limits, and functions that open conversations and read the usage. */
const aLimitedProject = async (quotes: object) => {
  const fixture = await aProject();
  const { id } = fixture.project;
  const root = `/v3/${id}`;
  await setQuotas(id, quotes);
  return {
    ...fixture,
    id,
    root,
    open: (by: Caller, body: object = {}, request_id: string = randomUUID()) =>
      api(by).post(`${root}/requests/${request_id}/messages`, { text: 'Hello', ...body }),
    figures: async (body: object = {}) => (await api(fixture.agent).post(`${root}/quotes`, body)).body.quotes,
  };
};

const statuses = (replies: { status: number }[]) => {
  const counts = Map.groupBy(replies, ({ status }) => status);
  return Object.fromEntries([...counts].map(([status, all]) => [status, all.length]));
};

describe('Quotas', () => {
  it('without limits, every quota is available, and usage is counted', async () => {
    const { agent, admin, project } = await aProject();
    await api(admin).post(`/v3/${project.id}/kb`, aTextBody(project.id));
    const { body } = await api(agent).post(`/v3/${project.id}/quotes`, {});
    expect(body.success).to.equal(true);
    expect(body.quotes).to.deep.include({ kbs: { quote: 1 }, tokens: { quote: 0 }, chatbots: { quote: 0 } });
    expect(body.quotes).to.include.all.keys('requests', 'messages', 'email', 'voice_duration');
    expect(body.slot.startDate).to.match(/^\d\d\/\d\d\/\d{4}$/);
    for (const type of ['requests', 'tokens', 'kbs'])
      expect((await api(agent).get(`/v3/${project.id}/quotes/${type}`)).body).to.deep.equal({ isAvailable: true });
    expect((await api(agent).get(`/v3/${project.id}/quotes/x`)).status).to.equal(404);
  });

  it('used tokens are added up, and answers are refused (403) once the plan limit has been reached', async () => {
    const { agent, root, id } = await aLimitedProject({ tokens: 100 });
    const incr = (tokens: unknown) => api(agent).post(`${root}/quotes/incr/tokens`, { tokens, model: 'm' });
    expect((await incr(60)).body).to.include({ currentQuote: 60 });
    expect((await incr('50')).body).to.include({ currentQuote: 110 });
    expect((await incr(-1)).status).to.equal(422);
    expect((await api(agent).get(`${root}/quotes/tokens`)).body).to.deep.equal({ isAvailable: false });
    const refusal = await assertTokenQuota(id).catch((error: unknown) => error);
    const body = { message: 'Tokens quota exceeded', error_code: 13_001, plan_limit: 100 };
    expect(refusal).to.deep.include({ status: 403, body });
    expect((await addUsage(id, 'voice_duration', 3)).currentQuote).to.equal(3);
  });

  it('a plan limits the contents and knowledge bases of a project (403 with plan_limit)', async () => {
    const { admin, root, id } = await aLimitedProject({ kbs: 2, namespace: 1 });
    const list = [1, 2, 3].map((page) => `http://127.0.0.1:9/${page}`);
    const many = await api(admin).post(`${root}/kb/multi?namespace=${id}`, { list });
    const error = 'Cannot exceed the number of resources in the current plan';
    expect(many.status).to.equal(403);
    expect(many.body).to.include({ success: false, error, plan_limit: 2 });
    for (let count = 0; count < 2; count++) await api(admin).post(`${root}/kb`, aTextBody(id));
    expect((await api(admin).post(`${root}/kb`, aTextBody(id))).body).to.include({ error: FULL, plan_limit: 2 });
    expect((await api(admin).post(`${root}/kb/namespace`, { name: 'Second' })).body).to.include({ plan_limit: 1 });
  });

  it('a limit that is negative or not a number is refused with a 422 error that names the limit', async () => {
    const { project } = await aProject();
    for (const requests of [-1, 'many', []]) {
      const refusal = await setQuotas(project.id, { requests }).catch((error: Error) => error.message);
      expect(refusal).to.include('422').and.include('profile.quotes.requests');
    }
    await setQuotas(project.id, { requests: '3', email: null });
  });
});

describe('Quota of conversations', () => {
  it('of concurrent first messages, exactly as many open a conversation as the plan allows; the others change nothing', async () => {
    const { agent, root, id, open, figures } = await aLimitedProject({ requests: 5 });
    const replies = await times(12, () => open(agent));
    expect(statuses(replies)).to.deep.equal({ 200: 5, 403: 7 });
    const refused = replies.find(({ status }) => status === 403)?.body;
    expect(refused).to.include({ success: false, error: FULL, code: 'PLAN_LIMIT', plan_limit: 5 });
    expect(refused.message).to.match(/^requests: the plan of the project allows 5 conversations from /);
    expect(await Conversation.countDocuments({ id_project: id })).to.equal(5);
    expect(await Message.countDocuments({ id_project: id })).to.equal(5);
    expect((await figures()).requests).to.deep.equal({ quote: 5 });
    expect((await api(agent).get(`${root}/quotes/requests`)).body).to.deep.equal({ isAvailable: false });
    expect((await api(agent).post(`${root}/requests`, { first_text: 'Hi' })).status).to.equal(403);
  });

  it('test conversations in the widget, phone calls and refused API calls are not counted, and a deleted conversation remains counted', async () => {
    const { owner, guest, root, open, figures } = await aLimitedProject({ requests: 2 });
    const request_id = randomUUID();
    await open(guest, {}, request_id);
    await open(guest, { attributes: { sourcePage: 'https://x.org/?td_draft=true' } });
    await open(guest, { channel: { name: 'voice_twilio' } });
    const again = await api(owner).post(`${root}/requests`, { request_id, first_text: 'Again' });
    expect(again.status).to.equal(409);
    await api(owner).delete(`${root}/requests/${request_id}`);
    expect((await figures()).requests).to.deep.equal({ quote: 1 });
    expect(statuses([await open(guest), await open(guest)])).to.deep.equal({ 200: 1, 403: 1 });
  });

  it('conversations that were opened before a limit was set, or after it was removed, are counted', async () => {
    const { guest, id, open, figures } = await aLimitedProject({});
    await open(guest);
    await setQuotas(id, { requests: 2 });
    await open(guest);
    expect((await open(guest)).status).to.equal(403);
    await setQuotas(id, {});
    await open(guest);
    expect((await figures()).requests).to.deep.equal({ quote: 3 });
    await setQuotas(id, { requests: 4 });
    expect(statuses([await open(guest), await open(guest)])).to.deep.equal({ 200: 1, 403: 1 });
  });

  it('usage starts at 0 in every billing period, and the usage of the previous period can still be read', async () => {
    const { guest, id, open, figures } = await aLimitedProject({ requests: 1 });
    await open(guest);
    expect((await open(guest)).status).to.equal(403);
    const usage = await QuotaUsage.findOne({ id_project: id }).orFail();
    // The period of a project that was created today starts today; the previous period starts a month earlier.
    const previous = new Date(usage.period);
    previous.setUTCMonth(previous.getUTCMonth() - 1);
    await QuotaUsage.updateOne({ _id: usage._id, id_project: id }, { $set: { period: previous } });
    const createdAt = new Date(usage.period.getTime() - DAY_MS);
    await Conversation.collection.updateMany({ id_project: id }, { $set: { createdAt } });
    expect((await figures()).requests).to.deep.equal({ quote: 0 });
    expect((await figures({ date: previous.toISOString() })).requests).to.deep.equal({ quote: 1 });
    expect(statuses([await open(guest), await open(guest)])).to.deep.equal({ 200: 1, 403: 1 });
  });
});

describe('Quota of messages', () => {
  it('of concurrent messages, exactly as many are stored as the plan allows, and a repeated message is counted once', async () => {
    const { agent, id, root, open, figures } = await aLimitedProject({ messages: 6 });
    const request_id = randomUUID();
    await open(agent, { client_message_id: 'one' }, request_id);
    await times(4, () => open(agent, { client_message_id: 'two' }, request_id));
    expect((await figures()).messages).to.deep.equal({ quote: 2 });
    const replies = await times(9, () => open(agent, {}, request_id));
    expect(statuses(replies)).to.deep.equal({ 200: 4, 403: 5 });
    expect(replies.find(({ status }) => status === 403)?.body).to.include({ error: FULL, plan_limit: 6 });
    expect(await Message.countDocuments({ id_project: id, sender: agent.id })).to.equal(6);
    const direct = { recipient: agent.id, recipientFullname: 'Ann', text: 'Hello' };
    expect((await api(agent).post(`${root}/messages`, direct)).status).to.equal(403);
    expect((await open(agent)).status, 'a first message').to.equal(403);
    expect(await Conversation.countDocuments({ id_project: id })).to.equal(1);
  });

  it('an import is refused as a whole if it exceeds the limit, and a repeated import is counted once', async () => {
    const { agent, root, open, figures } = await aLimitedProject({ messages: 4 });
    const request_id = randomUUID();
    await open(agent, {}, request_id);
    const path = `${root}/requests/${request_id}/messages/multi`;
    const batch = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ text: 'Old', client_message_id: `old-${index}` }));
    expect((await api(agent).post(path, batch(4))).body).to.include({ code: 'PLAN_LIMIT', plan_limit: 4 });
    expect((await api(agent).post(path, batch(2))).status).to.equal(200);
    expect((await figures()).messages).to.deep.equal({ quote: 3 });
    await setQuotas(root.slice(4), { messages: 10 });
    expect((await api(agent).post(path, batch(3))).status).to.equal(200);
    expect((await figures()).messages).to.deep.equal({ quote: 4 });
  });

  it('a plan with limits adds one database command to each message, including the first of a conversation', async () => {
    const commandNames = async (work: () => Promise<unknown>) =>
      ((await commandsDuring(work)) as Record<string, unknown>[]).map((command) => Object.keys(command)[0]);
    const limited = await aLimitedProject({ messages: 100, requests: 100 });
    const request_id = randomUUID();
    for (let warm = 0; warm < 3; warm++) await limited.open(limited.guest, {}, randomUUID());
    await limited.open(limited.guest, {}, request_id);
    await limited.open(limited.guest, {}, request_id);
    const next = await commandNames(() => limited.open(limited.guest, {}, request_id));
    expect(next).to.deep.equal(['findAndModify', 'findAndModify', 'insert', 'commitTransaction']);
    // test/api/messages.test.ts: without limits, a message takes 3 commands, and a first message 11.
    expect(await commandNames(() => limited.open(limited.guest))).to.have.length(12);
  });

  it('visitors receive no quota events', async () => {
    const { guest, id, root, open } = await aLimitedProject({ messages: 10, requests: 10 });
    await open(guest);
    const log = await relayedChanges(id);
    const names = log.map(({ event }) => event);
    expect(names).to.include.members(['request.create.quote', 'message.create.quote']);
    const { changes } = (await api(guest).get(`${root}/changes?after=0`)).body;
    const seen = changes.map(({ event }: { event: string }) => event);
    expect(seen).to.include('message.create').and.not.include.members(['message.create.quote']);
    expect(seen.filter((event: string) => event.includes('quote'))).to.deep.equal([]);
  });
});

describe('Quota of emails', () => {
  it('direct emails are refused (403) once the plan allows no more, and refused emails are not stored', async () => {
    const { owner, id, root, figures } = await aLimitedProject({ email: 3 });
    const send = (index = 0) =>
      api(owner).post(`${root}/emails/internal/send`, { to: `a${index}@example.org`, subject: 'S', text: 'T' });
    const replies = await times(5, send);
    expect(statuses(replies)).to.deep.equal({ 200: 3, 403: 2 });
    expect(replies.find(({ status }) => status === 403)?.body).to.include({ error: FULL, plan_limit: 3 });
    expect(await Mail.countDocuments({ id_project: id, template: 'emailDirect' })).to.equal(3);
    expect((await figures()).email).to.deep.equal({ quote: 3 });
  });
});
