import { expect } from 'chai';
import { FiredEventView } from '#shared/models/event.ts';
import { config } from '#shared/config.ts';
import { Event } from '#shared/models/event.ts';
import { api, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';

type World = Awaited<ReturnType<typeof aProject>>;

describe('Custom events', () => {
  let world: World;
  let root: string;

  const fire = (name: string, attributes?: object, caller = world.guest) =>
    api(caller).post(root, { name, ...(attributes && { attributes }) });

  beforeEach(async () => {
    world = await aProject();
    root = `/v3/${world.project.id}/events`;
  });

  it('are kept as they were sent, with who fired them', async () => {
    const { status, body } = await fire('event.emit.order.placed', { total: 12, lines: [{ sku: 'a' }] });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: 'event.emit.order.placed', attributes: { total: 12, lines: [{ sku: 'a' }] } });
    expect(body).to.include({ status: 'stardard', createdBy: world.guest.id, id_project: world.project.id });
    expect(body.project_user).to.match(/^[0-9a-f]{24}$/);
    expect((await api(world.agent).get(`${root}/${body._id}`)).body).to.deep.equal(body);
  });

  it('are told under their own name, with who fired them (contract d B.4)', async () => {
    const { body } = await fire('event.emit.order.placed', { total: 12 }, world.agent);
    await fire('event.emit.order.seen');
    const [placed, seen] = await changes(world.project.id).then((told) => told.slice(-2));
    expect([placed?.event, seen?.event]).to.deep.equal(['event.emit.order.placed', 'event.emit.order.seen']);
    const payload = JSON.parse(JSON.stringify(placed?.payload));
    expect(FiredEventView.safeParse(payload).error).to.equal(undefined);
    expect(payload).to.deep.include({ _id: body._id, id: body._id, attributes: { total: 12 } });
    expect(payload.project_user).to.deep.include({ _id: body.project_user, role: 'agent' });
    expect(payload.project_user.id_user).to.include({ _id: world.agent.id, firstname: 'Ann' });
    expect(payload.user).to.include({ _id: world.agent.id });
    expect(seen?.payload).to.have.nested.property('user._id', world.guest.id);
    expect(placed).to.not.have.property('visitor');
  });

  it('are named event.emit.<EVENT_NAME>, in one line (422)', async () => {
    for (const name of ['', 'order.placed', 'event.emit.', 'event.emit.a\ndata: b', `event.emit.${'x'.repeat(200)}`]) {
      const { status, body } = await fire(name);
      expect([status, body.errors[0].param], name).to.deep.equal([422, 'name']);
    }
    expect((await api(world.guest).post(root, { attributes: {} })).body.errors[0].path).to.equal('name');
  });

  it('have any name where the deployed clients are served (decision 4)', async () => {
    const process = await anApiProcess({ WIRE_PROFILE: 'deployed-clients' });
    try {
      const headers = { authorization: world.guest.authorization };
      const reply = await call('POST', process.url + root, { body: { name: 'faqbot.answer_not_found' }, headers });
      expect([reply.status, reply.body.name]).to.deep.equal([200, 'faqbot.answer_not_found']);
      expect((await changes(world.project.id)).at(-1)?.event).to.equal('event.emit.faqbot.answer_not_found');
    } finally {
      await process.stop('SIGKILL');
    }
  });

  it('are one event however often they are sent with one key', async () => {
    const send = () => api(world.guest).post(root, { name: 'event.emit.once' }, { 'idempotency-key': 'k' });
    const replies = await Promise.all([send(), send(), send()]);
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    const told = await changes(world.project.id);
    expect(told.filter(({ event }) => event === 'event.emit.once')).to.have.lengthOf(1);
  });

  it('are listed 40 to a page, the latest first, all or those of one person', async () => {
    for (const n of [1, 2, 3]) await fire(`event.emit.n${n}`);
    const mine = (await fire('event.emit.mine', {}, world.agent)).body;
    const list = async (query = '') => (await api(world.agent).get(root + query)).body;
    const names = ({ events }: { events: { name: string }[] }) => events.map(({ name }) => name.slice(11));
    const all = await list();
    expect(all).to.include({ perPage: 40, count: 4 });
    expect(names(all)).to.deep.equal(['mine', 'n3', 'n2', 'n1']);
    expect(names(await list('?direction=1'))).to.deep.equal(['n1', 'n2', 'n3', 'mine']);
    expect(names(await list('?sortField=name&direction=1'))).to.deep.equal(['mine', 'n1', 'n2', 'n3']);
    expect((await list('?page=1')).events).to.deep.equal([]);
    expect(await list(`?project_user=${mine.project_user}`)).to.deep.include({ count: 1, events: [mine] });
  });

  it('are of their own project only', async () => {
    const other = await aProject();
    const { body } = await fire('event.emit.x');
    const elsewhere = await api(other.agent).get(`/v3/${other.project.id}/events/${body._id}`);
    expect([elsewhere.status, elsewhere.body.msg]).to.deep.equal([404, 'Event not found']);
    expect((await api(other.agent).get(`/v3/${other.project.id}/events`)).body.count).to.equal(0);
    expect((await api(world.guest).get(root)).status).to.equal(403);
  });

  it('are kept for as long as is set (decision 22)', async () => {
    const expiry = (await Event.listIndexes()).find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(expiry).to.deep.include({ key: { createdAt: 1 }, expireAfterSeconds: config.EVENT_TTL });
  });
});
