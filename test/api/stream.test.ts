import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { emits } from '#shared/emits.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { api, type Caller } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { append, appendGap, aPosition, closeGaps, many } from '../support/log-entries.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { numbers, openStream, type Received, upTo } from '../support/stream.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const below = (count: number): number => Math.floor(Math.random() * count);

describe('The stream of a project', () => {
  let world: World;
  let pid: string;
  /** The cursor behind what making the project told. */
  let start: string;

  const open = (caller: Caller = world.agent, wanted = {}) => openStream(caller, pid, wanted);

  beforeEach(async () => {
    world = await aProject();
    pid = world.project.id;
    start = (await changes(pid)).at(-1)?.position ?? '0';
  });

  it('tells what happens as it happens, with the cursor, the name and the change', async () => {
    const stream = await open();
    expect(stream.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const greeting = await stream.frame();
    expect(greeting).to.have.property('retry', '1000');
    expect(greeting?.id).to.match(/^82/);
    const [cursor] = await append(pid, { event: 'kb.namespace.update', payload: { id: 'x' } });
    const { id, event, data } = (await stream.next()) as Received;
    expect({ id, event }).to.deep.equal({ id: cursor, event: 'kb.namespace.update' });
    expect(data).to.deep.include({ cursor, id: `tests/${cursor}`, event, payload: { id: 'x' } });
    expect((await api(world.agent).get(`/v3/${pid}/changes?after=${start}`)).body.changes).to.deep.equal([data]);
    stream.leave();
  });

  it('is seen whole, each event once and none of another project, by a client that reconnects at random 50 times', async () => {
    const other = await aProject();
    const count = 200;
    const tell = (id_project: string, n: number) =>
      Outbox.create([{ id_project, record: String(n), shown: { n } }], emits('kb.namespace.update'));
    const told = (async () => {
      for (const n of upTo(count)) await Promise.all([tell(pid, n), tell(other.project.id, -1)]);
    })();
    const seen: Received[] = [];
    let lastEventId = '';
    for (let reconnections = 0; reconnections < 50 || seen.length < count; reconnections += 1) {
      const stream = await open(world.agent, lastEventId ? { lastEventId, after: '0' } : { after: start });
      await stream.frame().then((greeting) => greeting?.data && seen.push(greeting as Received));
      seen.push(...(await stream.take(Math.min(below(8), count - seen.length))));
      lastEventId = stream.id;
      stream.leave();
    }
    await told;
    expect(numbers(seen)).to.deep.equal(upTo(count));
    const rest = await api(world.agent).get(`/v3/${pid}/changes?after=${lastEventId}`);
    expect(rest.body.changes).to.deep.equal([]);
  });

  it('holds, for a visitor, its own conversations as it may see them (decision 57)', async () => {
    const [stream, other] = await Promise.all([open(world.guest), aVisitor(pid)]);
    const own = { visitor: world.guest.id };
    const told = [
      { payload: { secret: 'team' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 0 } },
      { ...own, payload: { secret: 'private message' } },
      { visitor: other.id, payload: { secret: 'whole' }, visitor_payload: { secret: 'of another' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 1 } },
    ];
    await append(pid, ...told);
    for (const each of told) await append(pid, each);
    const live = await stream.take(4);
    expect(numbers(live)).to.deep.equal([0, 1, 0, 1]);
    const late = await (await open(world.guest, { after: '0' })).take(4);
    expect(late).to.deep.equal(live);
    expect(JSON.stringify(live)).to.not.include('secret');
  });

  it('shows a visitor its conversation as it goes on, and no word between teammates', async () => {
    const { project, guest, agent, owner, one, post } = await aConversation();
    const stranger = await aVisitor(project.id);
    const stream = await openStream(guest, project.id, { after: '0' });
    const aside = await openStream(stranger, project.id, { after: '0' });
    await api(owner).put(`${one}/participants`, [agent.id]);
    await post(agent, { text: 'between us', attributes: { subtype: 'private' } });
    await post(agent, { text: 'Good day' });
    await api(stranger).post(`${one.replace(/[^/]+$/, 'support-group-other')}/messages`, { text: 'Mine' });
    const heard = async (of: typeof stream, last: string) => {
      const events: Received[] = [];
      while (events.at(-1)?.data.payload.text !== last) events.push((await of.next()) as Received);
      return events;
    };
    const events = await heard(stream, 'Good day');
    expect(events.map(({ event }) => event)).to.include.members(['request.create', 'message.create']);
    const seen = JSON.stringify(events);
    expect(seen).to.include('Where is my order?').and.not.include('between us').and.not.include(agent.email);
    const page = (await api(guest).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    expect(page.slice(0, events.length)).to.deep.equal(events.map(({ data }) => data));
    expect(JSON.stringify(await heard(aside, 'Mine')))
      .to.not.include('order')
      .and.not.include('Good day');
    for (const each of [stream, aside]) each.leave();
  });

  it('goes on from a cursor, and from the header of a client that was cut off before it', async () => {
    const [first, second] = await append(pid, ...many(3));
    expect(numbers(await (await open(world.agent, { after: first })).take(2))).to.deep.equal([1, 2]);
    const resumed = await open(world.agent, { after: first, lastEventId: second });
    expect(numbers(await resumed.take(1))).to.deep.equal([2]);
  });

  it('misses nothing that happens before its client has had an event', async () => {
    const stream = await open();
    const id = (await stream.frame())?.id;
    stream.leave();
    await append(pid, ...many(2));
    expect(numbers(await (await open(world.agent, { lastEventId: id })).take(2))).to.deep.equal([0, 1]);
  });

  it('is refused with a status while it has not begun: a cursor that is none (422), a gap (410)', async () => {
    const none = await open(world.agent, { lastEventId: 'none' });
    expect([none.status, (await none.json()).code]).to.deep.equal([422, 'INVALID']);
    const old = await open(world.agent, { after: aPosition(config.CHANGES_TTL + 60) });
    expect([old.status, (await old.json()).code]).to.deep.equal([410, 'GAP']);
  });

  it('ends with a gap, and goes on behind it', async () => {
    const stream = await open();
    await stream.frame();
    try {
      const [gap] = await appendGap();
      const event = (await stream.next()) as Received;
      expect(event).to.deep.equal({ id: gap, event: 'gap', data: { next: gap } });
      expect(await stream.next()).to.equal(undefined);
      const resumed = await open(world.agent, { lastEventId: stream.id });
      await append(pid, ...many(1));
      expect(numbers(await resumed.take(1))).to.deep.equal([0]);
    } finally {
      await closeGaps();
    }
  });
});
