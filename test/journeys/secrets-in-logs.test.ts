/**
 * Follows a project from sign-up through conversations to failing calls. Its secrets and personal data must not appear
 * in logs, jobs or errors. A17 is an attack described in docs/attacks.md.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { logger } from '#shared/logger.ts';
import { queues } from '#shared/queue/queue.ts';
import { api, type Caller, type Reply } from '../support/api.ts';
import { logsDuring } from '../support/capture-logs.ts';
import { aMail, receive } from '../support/inbound.ts';
import { aMailbox } from '../support/mailbox.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import { withToken } from '../support/tokens.ts';

/** A host that refuses connections. */
const REFUSING = 'http://127.0.0.1:9';

/** The secrets and personal data that the calls send or receive, by name. */
type Canaries = Record<string, string>;

const canaries: Canaries = Object.fromEntries(
  [
    ...['password', 'newPassword', 'wrongPassword', 'apiKey', 'smtpPassword', 'urlSecret', 'idempotencyKey'],
    ...['messageText', 'privateText', 'mailText', 'contentText', 'question', 'intentAnswer', 'note', 'cannedText'],
    ...['leadName', 'phone', 'searchText', 'malformedBody', 'invalidValue', 'attribute', 'fileName'],
  ].map((name) => [name, `canary-${name}-${randomUUID()}`]),
);
const address = (name: string): string => (canaries[name] = `canary-${name}-${randomUUID()}@example.com`);

/** Returns the body of a reply, whose status must be 200. */
const bodyOf = async (pending: Promise<Reply>) => {
  const { status, body, text } = await pending;
  expect(status, text).to.equal(200);
  return body;
};

/** Signs up, and creates a project with a visitor. Adds the tokens in the replies to `canaries`. */
const signUp = async (ownerEmail: string) => {
  const account = { email: ownerEmail, password: canaries.password, firstname: 'Ann', lastname: 'Lee' };
  expect((await api().post('/v3/auth/signup', account)).status).to.equal(200);
  const signIn = (password?: string) => api().post('/v3/auth/signin', { email: ownerEmail, password });
  expect((await signIn(canaries.wrongPassword)).status).to.equal(401);
  const { token } = (await signIn(canaries.password)).body;
  const owner = withToken(String(token).replace(/^JWT /, ''));
  const id = (await api(owner).post('/v3/projects', { name: 'Shop' })).body._id;
  const anonymous = (await api().post('/v3/auth/signinAnonymously', { id_project: id })).body;
  const visitor = withToken(String(anonymous.token).replace(/^JWT /, ''));
  Object.assign(canaries, { ownerToken: owner.authorization.slice(4), visitorToken: visitor.authorization.slice(4) });
  return { owner, visitor, id: id as string };
};

/** Creates records that contain secrets, such as keys, a bot and an integration. Returns the id of the bot. */
const configure = async (owner: Caller, id: string, root: string) => {
  const post = (path: string, body: object) => bodyOf(api(owner).post(`${root}/${path}`, body));
  canaries.jwtSecret = (await post('keys/generate', {})).jwtSecret;
  const bot = await post('bots', { name: 'Bot', type: 'external', url: `${REFUSING}/?key=${canaries.urlSecret}` });
  canaries.botSecret = bot.secret;
  const target = `${REFUSING}/hook?key=${canaries.urlSecret}`;
  canaries.subscriptionSecret = (await post('subscriptions', { event: 'message.create', target })).secret;
  await post('integration', { name: 'openai', value: { apikey: canaries.apiKey } });
  const config = { host: '127.0.0.1', port: 9, user: address('smtpUser'), pass: canaries.smtpPassword };
  await bodyOf(api(owner).put(`/v3/projects/${id}`, { settings: { email: { config } } }));
  await post('project_users/invite', { email: address('invited'), role: 'agent' });
  await post('canned', { title: 'Hello', text: canaries.cannedText });
  await post('faq', { id_faq_kb: bot._id, question: 'When?', answer: canaries.intentAnswer });
  return bot._id as string;
};

/** Makes a conversation with a private message, a note and a bot whose server is down. Creates a lead, and searches. */
const converse = async ({ owner, visitor, id }: Awaited<ReturnType<typeof signUp>>, bot: string) => {
  const root = `/v3/${id}`;
  const path = `${root}/requests/support-group-${randomUUID()}`;
  const key = { 'idempotency-key': String(canaries.idempotencyKey) };
  const first = { text: canaries.messageText, email: address('lead'), fullname: canaries.leadName };
  const lead = { fullname: canaries.leadName, email: address('otherLead'), phone: canaries.phone };
  const calls = [
    () => api(visitor).post(`${path}/messages`, { ...first, attributes: { more: canaries.attribute } }),
    () => api(owner).put(`${path}/participants`, [`bot_${bot}`]),
    () => api(visitor).post(`${path}/messages`, { text: canaries.messageText }, key),
    () => api(owner).post(`${path}/messages`, { text: canaries.privateText, attributes: { subtype: 'private' } }),
    () => api(owner).post(`${path}/notes`, { text: canaries.note }),
    () => api(owner).post(`${root}/leads`, lead),
    () => api(owner).get(`${root}/requests?full_text=${canaries.searchText}`),
    () => api(owner).put(`${path}/close`, {}),
  ];
  for (const call of calls) await bodyOf(call());
};

/** Calls that fail, with secrets in their bodies, headers and URLs. */
const fail = async (owner: Caller, root: string) => {
  const json = { 'content-type': 'application/json' };
  const basic = Buffer.from(`${canaries.ownerEmail}:${canaries.wrongPassword}`).toString('base64');
  const invalid = {
    namespace: root.slice(4),
    name: { $gt: canaries.invalidValue },
    type: 'x',
    content: canaries.contentText,
  };
  const as = (authorization: string) => api({ id: '', authorization });
  const replies = [
    await api(owner).post(`${root}/leads`, `{"fullname":"${canaries.malformedBody}"`, json),
    await api(owner).post(`${root}/kb`, invalid),
    await api(owner).get(`${root}/requests/${canaries.searchText}?token=${canaries.ownerToken}`),
    await as(`JWT ${canaries.ownerToken}x`).get(`${root}/requests`),
    await as(`Basic ${basic}`).get(`${root}/requests`),
    await api(owner).get(`${root}/files?path=${canaries.fileName}`),
  ];
  expect(replies.map(({ status }) => status)).to.deep.equal([400, 422, 404, 401, 401, 404]);
};

describe('Secrets and personal data', () => {
  it('A17: a whole journey logs no password, token, key, email address or text, and no job or error contains one', async () => {
    const mailbox = await aMailbox();
    await initCursors();
    let jobs = '';
    let failedJobs = '';
    const logs = await logsDuring(async () => {
      const shop = await signUp(address('ownerEmail'));
      const { owner, id } = shop;
      const root = `/v3/${id}`;
      const post = (path: string, body: object) => bodyOf(api(owner).post(`${root}/${path}`, body));
      await converse(shop, await configure(owner, id, root));
      const mail = aMail({ From: `Vera <${address('sender')}>` }, canaries.mailText);
      await bodyOf(receive({ project: { id }, agent: owner }, mail));
      await post('kb', { namespace: id, type: 'text', name: 'Hours', source: 'h', content: canaries.contentText });
      jobs = JSON.stringify(await Promise.all(queues().map((queue) => queue.getJobs())));
      await runJobsOnEvents(id);
      await post('kb/qa', { namespace: id, question: canaries.question });
      await fail(owner, root);
      const passwords = { oldpsw: canaries.password, newpsw: canaries.newPassword };
      await bodyOf(api(owner).put('/v3/users/changepsw', passwords));
      await runJobsOnEvents(id);
      failedJobs = JSON.stringify(await Promise.all(queues().map((queue) => queue.getFailed())));
    });
    mailbox.close();
    const foundIn = (text: string) => Object.keys(canaries).filter((name) => text.includes(String(canaries[name])));
    expect(Object.entries(canaries).filter(([, value]) => !value || value.length < 20)).to.deep.equal([]);
    expect(jobs).to.include('mail.send');
    expect(logs).to.include('"route":"/v3/:project_id/kb/qa"').and.include('job done');
    expect(foundIn(logs), 'logs').to.deep.equal([]);
    expect(foundIn(jobs), 'jobs').to.deep.equal([]);
    expect(foundIn(failedJobs), 'failed jobs').to.deep.equal([]);
  });

  it('the search for secrets in the logs finds a value that is logged', async () => {
    const value = randomUUID();
    expect(await logsDuring(async () => logger.warn({ value }, 'test'))).to.include(value);
  });
});
