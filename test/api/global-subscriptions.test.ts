/** Global subscriptions of instance administrators, and events of accounts, which only such subscriptions receive. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { INSTANCE } from '#shared/models/change.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { signToken } from '#shared/security/tokens.ts';
import { api } from '../support/api.ts';
import { aBotServer } from '../support/bots.ts';
import { anInstanceAdmin, aProject, type Person } from '../support/people.ts';
import { withToken } from '../support/tokens.ts';
import { deliverWebhooks } from '../support/webhooks.ts';

const PATH = '/v3/subscriptions';

describe('Global subscriptions', () => {
  let instanceAdmin: Person;

  const deleteSubscriptions = () => Subscription.deleteMany({ id_project: INSTANCE });

  before(async () => {
    instanceAdmin = await anInstanceAdmin();
    await initCursors();
    await deleteSubscriptions(); // created by other test files
  });
  afterEach(deleteSubscriptions);

  const subscribe = async (event: string) => {
    const server = await aBotServer();
    const fields = { event, target: server.url };
    const { body, status } = await api(instanceAdmin).post(PATH, { ...fields, global: true });
    expect(status).to.equal(200);
    return { ...server, fields, subscription: body };
  };

  const signUp = async () => {
    const account = { email: `${randomUUID()}@example.com`, password: randomUUID(), firstname: 'Eve', lastname: 'Lee' };
    return { ...account, id: (await api().post('/v3/auth/signup', account)).body.user._id as string };
  };

  it('an instance administrator can create, list, read, change and delete global subscriptions, and renew their secrets', async () => {
    const { subscription, fields } = await subscribe('user.signup');
    expect(subscription).to.include({ ...fields, id_project: 'instance', createdBy: instanceAdmin.id, enabled: true });
    const one = `${PATH}/${subscription._id}`;
    const { secret, ...publicFields } = subscription;
    expect((await api(instanceAdmin).post(PATH, { ...fields, global: true })).body).to.deep.equal(subscription);
    expect((await api(instanceAdmin).get(PATH)).body).to.deep.equal([publicFields]);
    expect((await api(instanceAdmin).get(one)).body).to.deep.equal(publicFields);
    const changed = await api(instanceAdmin).put(one, { event: 'user.signin', enabled: false });
    expect(changed.body).to.include({ event: 'user.signin', enabled: false });
    expect((await api(instanceAdmin).put(`${one}/secret`, {})).body.secret).to.not.equal(secret);
    expect((await api(instanceAdmin).delete(one)).body._id).to.equal(subscription._id);
    expect((await api(instanceAdmin).get(PATH)).body).to.deep.equal([]);
  });

  it('a global subscription receives events of accounts in deliveries that are signed and contain no token', async () => {
    const { calls, subscription } = await subscribe('user.signup');
    const { id, email, password } = await signUp();
    await deliverWebhooks(INSTANCE);
    const received = calls.filter(({ body }) => body.payload._id === id);
    expect(received).to.have.length(1);
    const { body, headers } = received[0] as (typeof calls)[number];
    expect(body).to.have.all.keys('timestamp', 'payload', 'hook', 'id_project');
    expect(body.payload).to.include({ email, firstname: 'Eve', emailverified: false, status: 100 });
    expect(body.payload).to.not.have.any.keys('password', 'epoch');
    expect(body.hook).to.include({ _id: subscription._id, event: 'user.signup', id_project: 'instance' });
    expect(JSON.stringify(body)).to.not.include(subscription.secret).and.not.include(password);
    const signed = headers as Record<string, string>;
    expect(new Webhook(subscription.secret, { format: 'raw' }).verify(JSON.stringify(body), signed)).to.deep.equal(
      body,
    );
    const history = await api(instanceAdmin).get(`${PATH}/history?subscription=${subscription._id}`);
    expect(history.body[0]).to.include({ event: 'user.signup', status: 200, id_project: 'instance' });
  });

  it('a global subscription receives the events of every project', async () => {
    const { calls } = await subscribe('request.close');
    const projects = [await aProject(), await aProject()];
    for (const { project, guest, owner } of projects) {
      const path = `/v3/${project.id}/requests/${randomUUID()}`;
      await api(guest).post(`${path}/messages`, { text: 'Bye' });
      await api(owner).put(`${path}/close`);
      await deliverWebhooks(project.id);
    }
    const ids = projects.map(({ project }) => project.id);
    const received = calls.filter(({ body }) => ids.includes(body.id_project));
    expect(received.map(({ body }) => [body.id_project, body.payload.id_project])).to.deep.equal(
      ids.map((id) => [id, id]),
    );
    for (const { body } of received) expect(body.payload.messages[0].text).to.equal('Bye');
  });

  it('a global subscription receives test events, and a replay repeats its deliveries', async () => {
    const { calls, subscription } = await subscribe('user.signup');
    const tested = await api(instanceAdmin).post(`${PATH}/test`, { subscription: subscription._id });
    await signUp();
    await deliverWebhooks(INSTANCE);
    const deliveries = () => calls.map(({ headers }) => headers['webhook-id']);
    expect(deliveries()).to.include(tested.body.delivery);
    const [id] = deliveries().filter((delivery) => delivery !== tested.body.delivery);
    const replayed = await api(instanceAdmin).post(`${PATH}/${subscription._id}/replay`, { delivery: id });
    expect(replayed.body).to.deep.equal({ count: 1 });
    await deliverWebhooks(INSTANCE);
    expect(deliveries().filter((delivery) => delivery === id)).to.have.length(2);
  });

  it('projects cannot subscribe to events of accounts or of other projects, nor access global subscriptions', async () => {
    const { subscription } = await subscribe('user.signup');
    const { project, owner } = await aProject();
    const root = `/v3/${project.id}/subscriptions`;
    const fields = { event: 'request.create', target: 'https://hooks.example.com/a' };
    const refuse = async (body: object, field: string, [caller, path]: [Person, string]) => {
      const reply = await api(caller).post(path, body);
      expect(reply.status, reply.text).to.equal(422);
      expect(reply.body.errors[0].path).to.equal(field);
    };
    await refuse({ ...fields, event: 'user.signup' }, 'event', [owner, root]);
    await refuse({ ...fields, global: true }, 'global', [owner, root]);
    await refuse(fields, 'global', [instanceAdmin, PATH]);
    await refuse({ ...fields, global: false }, 'global', [instanceAdmin, PATH]);
    expect((await api(owner).post(root, { ...fields, global: false })).status).to.equal(200);
    expect((await api(owner).post(PATH, { ...fields, global: true })).body.code).to.equal('INSTANCE_ADMINS_ONLY');
    expect((await api(owner).get(`${root}/${subscription._id}`)).status).to.equal(404);
    expect((await api(owner).get(`/v3/${INSTANCE}/changes?after=0`)).status).to.equal(403);
  });

  it('a token that is signed with the secret of a global subscription is refused', async () => {
    const { subscription } = await subscribe('user.signup');
    const id: string = subscription._id;
    const signer = { kind: 'subscriptions', id } as const;
    const { secret } = subscription;
    const token = signToken({ _id: id }, { sub: 'subscription', ttlSeconds: 60, signer, secret });
    const { project } = await aProject();
    const { status } = await api(withToken(token, id)).get(`/v3/${project.id}/requests`);
    expect(status).to.equal(401);
  });
});
