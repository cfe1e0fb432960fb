import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { emits } from '#shared/emits.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { issueToken } from '#shared/tokens.ts';
import type { Actor } from '../../api/http/actor.ts';
import { feed } from '../../api/realtime/feed.ts';
import { anApi, api, type Caller } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { changes } from '../support/changes.ts';
import { commandsDuring } from '../support/commands.ts';
import { aConversation } from '../support/conversations.ts';
import { append, appendGap, appendQuietly, aPosition, closeGaps } from '../support/log-entries.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { openStream, type Received } from '../support/stream.ts';
import { until } from '../support/until.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ payload: { n, ...more } }));
const numbers = (events: Received[]): number[] => events.map(({ data }) => data.payload.n);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** Megabytes in use, garbage left out. */
const inUse = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
};
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

  it('finds by itself what no nudge told of', async () => {
    const stream = await open();
    await stream.frame();
    await appendQuietly(pid, many(2));
    expect(numbers(await stream.take(2))).to.deep.equal([0, 1]);
    stream.leave();
  });

  it('asks the database once for all who follow', async () => {
    const streams = await Promise.all(upTo(20).map(() => open()));
    await Promise.all(streams.map((stream) => stream.frame()));
    await append(pid, ...many(1));
    await Promise.all(streams.map((stream) => stream.next()));
    const commands = await commandsDuring(async () => {
      await append(pid, ...many(1));
      await Promise.all(streams.map((stream) => stream.next()));
    });
    const reads = (commands as { find?: string }[]).filter(({ find }) => find === 'changes');
    expect(reads).to.have.lengthOf(1);
    for (const stream of streams) stream.leave();
  });

  it('ends when the token does', async () => {
    const token = issueToken('guest', { _id: world.guest.id }, 1);
    const stream = await open({ id: world.guest.id, authorization: `JWT ${token}` });
    let ended = false;
    const reading = (async () => {
      while (await stream.next());
      ended = true;
    })();
    while (!ended) await append(pid, { visitor: world.guest.id, visitor_payload: {} });
    await reading;
    const again = await open({ id: world.guest.id, authorization: `JWT ${token}` });
    expect(again.status).to.equal(401);
  });

  it('ends when the role no longer reaches', async () => {
    const agent: Actor = { kind: 'user', id: world.agent.id, role: 'agent' };
    let role: Actor['role'] = 'agent';
    const frames = feed(
      { actor: agent, project: pid, after: start },
      { signal: new AbortController().signal, admitted: async () => ({ ...agent, role }) },
    );
    await frames.next();
    await append(pid, ...many(1));
    expect((await frames.next()).value).to.include('"n":0');
    role = 'user';
    await append(pid, ...many(1));
    expect((await frames.next()).done).to.equal(true);
  });

  it('waits for slow readers without holding more than a little for them (F23)', async () => {
    const count = 60;
    const url = await anApi();
    const late = await open(world.agent, { after: start });
    const readers = await Promise.all(upTo(12).map(() => aSlowReader(url, { caller: world.agent, project: pid })));
    const before = inUse();
    const padding = 'x'.repeat(100_000);
    for (const _ of upTo(count / 10)) await append(pid, ...upTo(10).map(() => ({ payload: { padding } })));
    await (await open(world.agent, { after: start })).take(count);
    // Held for each, they would be 72 MB for as long as nobody reads.
    await until(() => inUse() - before < 32);
    const cursors = (await late.take(count)).map(({ id }) => id);
    expect(new Set(cursors).size).to.equal(count);
    expect(cursors).to.deep.equal([...cursors].sort());
    late.leave();
    for (const reader of readers) reader.destroy();
  });

  it('ends with the process, which ends at once (F11)', async () => {
    const process = await anApiProcess();
    const stream = await open(world.agent, { url: process.url });
    await append(pid, ...many(3));
    expect(numbers(await stream.take(3))).to.deep.equal([0, 1, 2]);
    const stopped = process.stop('SIGTERM');
    expect(await stream.next()).to.equal(undefined);
    expect(await stopped).to.equal(0);
  });
});
