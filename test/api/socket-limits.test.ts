import { mock } from 'node:test';
import { expect } from 'chai';
import { INPUT_LIMITS } from '../../api/input-limits.ts';
import { api, type Caller } from '../support/api.ts';
import { appendChanges } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';
import { aLoggedMessage, isMessage, numberOf, openSocket } from '../support/socket-client.ts';
import { numbersBelow } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

type Client = Awaited<ReturnType<typeof openSocket>>;

describe('WebSocket limits', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let projectId: string;
  let topic: string;
  const clients: Client[] = [];

  beforeEach(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
    topic = `/${projectId}/requests/talk/messages`;
    await relayedChanges(projectId);
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.terminate();
  });

  const open = async (caller: Caller | null, options = {}) => {
    const client = await openSocket(caller, { checkFrames: false, ...options });
    clients.push(client);
    return client;
  };
  const append = (from: number, to: number, text?: string) =>
    appendChanges(projectId, ...numbersBelow(to - from).map((n) => aLoggedMessage(projectId, from + n, text)));

  it('a frame larger than 16 KB or a flood of frames closes the socket', async () => {
    const [large, flooding] = [await open(fixture.agent), await open(fixture.agent)];
    large.send('subscribe', { topic: 'x'.repeat(17_000) });
    for (const _ of numbersBelow(400)) flooding.send('me');
    await large.ended();
    await flooding.ended();
    expect([large.closed?.code, flooding.closed?.code]).to.deep.equal([1009, 4429]);
  });

  it('a client that does not read is disconnected, and can resume at its cursor', async () => {
    const [client, reading] = [await open(fixture.owner), await open(fixture.owner)];
    for (const each of [client, reading]) await each.subscribe(topic);
    await append(0, 1);
    const { payload } = await client.next(isMessage);
    client.socket.pause();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      for (const n of numbersBelow(30)) await append(1 + n, 2 + n, 'x'.repeat(400_000));
      await waitUntil(() => reading.frames.filter(isMessage).length === 31);
      mock.timers.tick(20_000);
    } finally {
      mock.timers.reset();
    }
    const again = await open(fixture.owner);
    again.resume(topic, payload.cursor);
    expect(numberOf(await again.next(isMessage))).to.equal(1);
    client.socket.resume();
    await client.ended();
    expect(client.closed?.code).to.equal(4408);
  });

  it('a socket whose client does not answer pings is terminated, and any frame counts as an answer', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const [alive, dead] = [await open(fixture.agent), await open(fixture.agent)];
      await alive.subscribe(topic);
      dead.socket.pause();
      mock.timers.tick(30_000);
      const { payload } = await alive.next(({ action }) => action === 'heartbeat');
      expect(payload.message).to.deep.equal({ text: 'ping' });
      expect(Object.keys(payload.cursors)).to.deep.equal([projectId]);
      alive.send('heartbeat', { message: { text: 'ping' } });
      const { payload: pong } = await alive.next(({ action }) => action === 'heartbeat');
      expect(pong.message).to.deep.equal({ text: 'pong' });
      mock.timers.tick(30_000);
      await alive.settle();
      dead.socket.resume();
      await dead.ended();
      expect(dead.closed?.code).to.equal(1006);
      expect(alive.closed).to.equal(undefined);
    } finally {
      mock.timers.reset();
    }
  });

  describe('topics', () => {
    const limits = { ...INPUT_LIMITS };
    afterEach(() => void Object.assign(INPUT_LIMITS, limits));

    const codeOf = ({ action, payload }: Awaited<ReturnType<Client['subscribe']>>) =>
      action === 'error' ? payload.code : action;

    it('a project does not count towards the maximum number of projects per socket after the client has unsubscribed from all its topics', async () => {
      Object.assign(INPUT_LIMITS, { projectsPerSocket: 1 });
      const other = (await api(fixture.owner).post('/v3/projects', { name: 'Other' })).body._id as string;
      const client = await open(fixture.owner);
      await client.subscribe(topic);
      const otherTopic = `/${other}/requests/talk/messages`;
      expect(codeOf(await client.subscribe(otherTopic))).to.equal('TOO_MANY_TOPICS');
      client.send('unsubscribe', { topic });
      expect(codeOf(await client.subscribe(otherTopic))).to.equal('publish');
      expect(codeOf(await client.subscribe(topic))).to.equal('TOO_MANY_TOPICS');
    });

    it('a socket with the maximum number of topics can subscribe again to one of them, but to no other topic', async () => {
      Object.assign(INPUT_LIMITS, { topicsPerSocket: 1 });
      const client = await open(fixture.owner);
      const topics = [topic, topic, `/${projectId}/requests/other/messages`];
      const codes = [];
      for (const each of topics) codes.push(codeOf(await client.subscribe(each)));
      expect(codes).to.deep.equal(['publish', 'publish', 'TOO_MANY_TOPICS']);
    });
  });
});
