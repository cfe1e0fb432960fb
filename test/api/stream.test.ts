import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { emits } from '#shared/events.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { api, type Caller } from '../support/api.ts';
import { aPosition, appendChanges, appendGap, numberedChanges, removeGaps } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { eventNumbers, numbersBelow, openStream, type ReceivedEvent } from '../support/stream-client.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

/** Returns a linear congruential generator: a function that returns a pseudorandom integer below a limit. */
const randomNumbers = (seed: number) => {
  let state = seed;
  return (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
};

describe('Event stream', () => {
  let fixture: ProjectFixture;
  let projectId: string;
  /** The cursor after the events of the project's creation. */
  let start: string;

  const open = (caller: Caller = fixture.agent, options = {}) => openStream(caller, projectId, options);

  beforeEach(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
    start = (await relayedChanges(projectId)).at(-1)?.position ?? '0';
  });

  it('the stream sends each change when it happens, with its cursor and event name', async () => {
    const stream = await open();
    expect(stream.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const greeting = await stream.frame();
    expect(greeting).to.have.property('retry', '1000');
    expect(greeting?.id).to.match(/^82/);
    const [cursor] = await appendChanges(projectId, { event: 'kb.namespace.update', payload: { id: 'x' } });
    const { id, event, data } = (await stream.next()) as ReceivedEvent;
    expect({ id, event }).to.deep.equal({ id: cursor, event: 'kb.namespace.update' });
    expect(data).to.deep.include({ cursor, id: `tests/${cursor}`, event, payload: { id: 'x' } });
    expect((await api(fixture.agent).get(`/v3/${projectId}/changes?after=${start}`)).body.changes).to.deep.equal([
      data,
    ]);
    stream.disconnect();
  });

  it('a client that reconnects 50 times at random moments receives each event of its project exactly once', async () => {
    const other = await aProject();
    const seed = Date.now() >>> 0;
    const randomBelow = randomNumbers(seed);
    const count = 200;
    const emitNumbered = (id_project: string, n: number) =>
      Outbox.create([{ id_project, record: String(n), view: { n } }], emits('kb.namespace.update'));
    const emitting = (async () => {
      for (const n of numbersBelow(count))
        await Promise.all([emitNumbered(projectId, n), emitNumbered(other.project.id, -1)]);
    })();
    const seen: ReceivedEvent[] = [];
    let lastEventId = '';
    for (let reconnections = 0; reconnections < 50 || seen.length < count; reconnections += 1) {
      const stream = await open(fixture.agent, lastEventId ? { lastEventId, after: '0' } : { after: start });
      await stream.frame().then((greeting) => greeting?.data && seen.push(greeting as ReceivedEvent));
      seen.push(...(await stream.take(Math.min(randomBelow(8), count - seen.length))));
      lastEventId = stream.id;
      stream.disconnect();
    }
    await emitting;
    expect(eventNumbers(seen), `seed ${seed}`).to.deep.equal(numbersBelow(count));
    const rest = await api(fixture.agent).get(`/v3/${projectId}/changes?after=${lastEventId}`);
    expect(rest.body.changes).to.deep.equal([]);
  });

  it("a visitor's stream contains the `visitor_payload` of each change to their own conversations and nothing else", async () => {
    const [stream, other] = await Promise.all([open(fixture.guest), aVisitor(projectId)]);
    const own = { visitor: fixture.guest.id };
    const changes = [
      { payload: { secret: 'team' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 0 } },
      { ...own, payload: { secret: 'private message' } },
      { visitor: other.id, payload: { secret: 'whole' }, visitor_payload: { secret: 'of another' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 1 } },
    ];
    await appendChanges(projectId, ...changes);
    for (const each of changes) await appendChanges(projectId, each);
    const live = await stream.take(4);
    expect(eventNumbers(live)).to.deep.equal([0, 1, 0, 1]);
    const late = await (await open(fixture.guest, { after: '0' })).take(4);
    expect(late).to.deep.equal(live);
    expect(JSON.stringify(live)).to.not.include('secret');
  });

  it("a visitor's stream contains the messages of their conversation except the private ones", async () => {
    const { project, guest, agent, owner, one, post } = await aConversation();
    const stranger = await aVisitor(project.id);
    const stream = await openStream(guest, project.id, { after: '0' });
    const strangerStream = await openStream(stranger, project.id, { after: '0' });
    await api(owner).put(`${one}/participants`, [agent.id]);
    await post(agent, { text: 'between us', attributes: { subtype: 'private' } });
    await post(agent, { text: 'Good day' });
    await api(stranger).post(`${one.replace(/[^/]+$/, 'support-group-other')}/messages`, { text: 'Mine' });
    const eventsUpTo = async (of: typeof stream, last: string) => {
      const events: ReceivedEvent[] = [];
      while (events.at(-1)?.data.payload.text !== last) events.push((await of.next()) as ReceivedEvent);
      return events;
    };
    const events = await eventsUpTo(stream, 'Good day');
    expect(events.map(({ event }) => event)).to.include.members(['request.create', 'message.create']);
    const seen = JSON.stringify(events);
    expect(seen).to.include('Where is my order?').and.not.include('between us').and.not.include(agent.email);
    const page = (await api(guest).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    expect(page.slice(0, events.length)).to.deep.equal(events.map(({ data }) => data));
    expect(JSON.stringify(await eventsUpTo(strangerStream, 'Mine')))
      .to.not.include('order')
      .and.not.include('Good day');
    for (const each of [stream, strangerStream]) each.disconnect();
  });

  it('a stream resumes from the cursor in `after`, and Last-Event-ID takes precedence over it', async () => {
    const [first, second] = await appendChanges(projectId, ...numberedChanges(3));
    expect(eventNumbers(await (await open(fixture.agent, { after: first })).take(2))).to.deep.equal([1, 2]);
    const resumed = await open(fixture.agent, { after: first, lastEventId: second });
    expect(eventNumbers(await resumed.take(1))).to.deep.equal([2]);
  });

  it('a client that reconnects before its first event misses no event', async () => {
    const stream = await open();
    const id = (await stream.frame())?.id;
    stream.disconnect();
    await appendChanges(projectId, ...numberedChanges(2));
    expect(eventNumbers(await (await open(fixture.agent, { lastEventId: id })).take(2))).to.deep.equal([0, 1]);
  });

  it('a stream request with an invalid cursor returns 422, and one with an expired cursor returns 410', async () => {
    const none = await open(fixture.agent, { lastEventId: 'none' });
    expect([none.status, (await none.json()).code]).to.deep.equal([422, 'INVALID']);
    const old = await open(fixture.agent, { after: aPosition(config.CHANGES_TTL_SECONDS + 60) });
    expect([old.status, (await old.json()).code]).to.deep.equal([410, 'GAP']);
  });

  it('a gap in the changes log, where events may be missing, ends a stream with a gap event, and the stream can be resumed after the gap', async () => {
    const stream = await open();
    await stream.frame();
    try {
      const [gap] = await appendGap();
      const event = (await stream.next()) as ReceivedEvent;
      expect(event).to.deep.equal({ id: gap, event: 'gap', data: { next: gap } });
      expect(await stream.next()).to.equal(undefined);
      const resumed = await open(fixture.agent, { lastEventId: stream.id });
      await appendChanges(projectId, ...numberedChanges(1));
      expect(eventNumbers(await resumed.take(1))).to.deep.equal([0]);
    } finally {
      await removeGaps();
    }
  });
});
