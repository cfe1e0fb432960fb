import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { CustomEvent, CustomEventPayloadView } from '#shared/models/custom-event.ts';
import { api, call } from '../support/api.ts';
import { theDeployedClientsApi } from '../support/api-process.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

describe('Custom events', () => {
  let fixture: ProjectFixture;
  let root: string;

  const sendEvent = (name: string, attributes?: object, caller = fixture.guest) =>
    api(caller).post(root, { name, ...(attributes && { attributes }) });

  beforeEach(async () => {
    fixture = await aProject();
    root = `/v3/${fixture.project.id}/events`;
  });

  it('a custom event is stored unchanged, together with its sender', async () => {
    const { status, body } = await sendEvent('event.emit.order.placed', { total: 12, lines: [{ sku: 'a' }] });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: 'event.emit.order.placed', attributes: { total: 12, lines: [{ sku: 'a' }] } });
    expect(body).to.include({ status: 'stardard', createdBy: fixture.guest.id, id_project: fixture.project.id });
    expect(body.project_user).to.match(/^[0-9a-f]{24}$/);
    expect((await api(fixture.agent).get(`${root}/${body._id}`)).body).to.deep.equal(body);
  });

  it('a custom event is emitted under its own name with its sender in the payload', async () => {
    const { body } = await sendEvent('event.emit.order.placed', { total: 12 }, fixture.agent);
    await sendEvent('event.emit.order.seen');
    const [placed, seen] = await relayedChanges(fixture.project.id).then((changes) => changes.slice(-2));
    expect([placed?.event, seen?.event]).to.deep.equal(['event.emit.order.placed', 'event.emit.order.seen']);
    const payload = JSON.parse(JSON.stringify(placed?.payload));
    expect(CustomEventPayloadView.safeParse(payload).error).to.equal(undefined);
    expect(payload).to.deep.include({ _id: body._id, id: body._id, attributes: { total: 12 } });
    expect(payload.project_user).to.deep.include({ _id: body.project_user, role: 'agent' });
    expect(payload.project_user.id_user).to.include({ _id: fixture.agent.id, firstname: 'Ann' });
    expect(payload.user).to.include({ _id: fixture.agent.id });
    expect(seen?.payload).to.have.nested.property('user._id', fixture.guest.id);
    expect(placed).to.not.have.property('visitor');
  });

  it('the name of a custom event must be event.emit.<EVENT_NAME> without line breaks (422)', async () => {
    for (const name of ['', 'order.placed', 'event.emit.', 'event.emit.a\ndata: b', `event.emit.${'x'.repeat(200)}`]) {
      const { status, body } = await sendEvent(name);
      expect([status, body.errors[0].param], name).to.deep.equal([422, 'name']);
    }
    expect((await api(fixture.guest).post(root, { attributes: {} })).body.errors[0].path).to.equal('name');
  });

  it('a custom event may have any name in the deployed-clients wire profile', async () => {
    const { url } = await theDeployedClientsApi();
    const headers = { authorization: fixture.guest.authorization };
    const reply = await call('POST', url + root, { body: { name: 'faqbot.answer_not_found' }, headers });
    expect([reply.status, reply.body.name]).to.deep.equal([200, 'faqbot.answer_not_found']);
    expect((await relayedChanges(fixture.project.id)).at(-1)?.event).to.equal('event.emit.faqbot.answer_not_found');
  });

  it('a custom event that is sent repeatedly with the same Idempotency-Key is stored and emitted once', async () => {
    const send = () => api(fixture.guest).post(root, { name: 'event.emit.once' }, { 'idempotency-key': 'k' });
    const replies = await Promise.all([send(), send(), send()]);
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    const changes = await relayedChanges(fixture.project.id);
    expect(changes.filter(({ event }) => event === 'event.emit.once')).to.have.lengthOf(1);
  });

  it('custom events of all members or of one member are listed newest first, 40 per page', async () => {
    for (const n of [1, 2, 3]) await sendEvent(`event.emit.n${n}`);
    const mine = (await sendEvent('event.emit.mine', {}, fixture.agent)).body;
    const list = async (query = '') => (await api(fixture.agent).get(root + query)).body;
    const names = ({ events }: { events: { name: string }[] }) => events.map(({ name }) => name.slice(11));
    const all = await list();
    expect(all).to.include({ perPage: 40, count: 4 });
    expect(names(all)).to.deep.equal(['mine', 'n3', 'n2', 'n1']);
    expect(names(await list('?direction=1'))).to.deep.equal(['n1', 'n2', 'n3', 'mine']);
    expect(names(await list('?sortField=name&direction=1'))).to.deep.equal(['mine', 'n1', 'n2', 'n3']);
    expect((await list('?page=1')).events).to.deep.equal([]);
    expect(await list(`?project_user=${mine.project_user}`)).to.deep.include({ count: 1, events: [mine] });
  });

  it('a custom event is not visible to other projects', async () => {
    const other = await aProject();
    const { body } = await sendEvent('event.emit.x');
    const foreignReply = await api(other.agent).get(`/v3/${other.project.id}/events/${body._id}`);
    expect([foreignReply.status, foreignReply.body.msg]).to.deep.equal([404, 'Event not found']);
    expect((await api(other.agent).get(`/v3/${other.project.id}/events`)).body.count).to.equal(0);
    expect((await api(fixture.guest).get(root)).status).to.equal(403);
  });

  it('custom events expire after EVENT_TTL_SECONDS', async () => {
    const expiry = (await CustomEvent.listIndexes()).find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(expiry).to.deep.include({ key: { createdAt: 1 }, expireAfterSeconds: config.EVENT_TTL_SECONDS });
  });
});
