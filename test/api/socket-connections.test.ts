import { expect } from 'chai';
import { api, call, type Caller } from '../support/api.ts';
import { completeOutput, theLimitedApi, theOtherApi } from '../support/api-process.ts';
import { appendChanges, appendGap, notifyFollowers, removeGaps } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';
import type { ReceivedFrame } from '../support/asyncapi.ts';
import { aLoggedMessage, isMessage, numberOf, openSocket } from '../support/socket-client.ts';
import { numbersBelow } from '../support/stream-client.ts';

type Client = Awaited<ReturnType<typeof openSocket>>;

describe('WebSocket connections', () => {
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
  const append = (from: number, to: number) =>
    appendChanges(projectId, ...numbersBelow(to - from).map((n) => aLoggedMessage(projectId, from + n)));
  const ticketOf = async (caller: Caller, project = projectId): Promise<string> =>
    (await api(caller).post(`/v3/${project}/stream/ticket`)).body.ticket;

  describe('credentials', () => {
    it('a socket accepts the Authorization header, a stream ticket, and a token in the URL with or without the prefix JWT', async () => {
      const token = fixture.agent.authorization.slice('JWT '.length);
      const queries = [`ticket=${await ticketOf(fixture.agent)}`, `token=${token}`, `token=JWT%20${token}`];
      const sockets = await Promise.all([
        open(fixture.agent),
        open(fixture.agent, { path: '/ws' }),
        ...queries.map((query) => open(null, { query })),
      ]);
      for (const socket of sockets) {
        expect(socket.status).to.equal(101);
        expect((await socket.subscribe(topic)).action).to.equal('publish');
      }
    });

    it('a socket with missing or invalid credentials is refused with 401 and a JSON body', async () => {
      const refused = [
        await open(null),
        await open(null, { query: 'token=nonsense' }),
        await open(null, { query: 'ticket=nonsense' }),
        await open(null, { query: `ticket=${'A'.repeat(43)}` }),
      ];
      for (const { status, body } of refused) {
        expect(status).to.equal(401);
        expect(JSON.parse(body)).to.include({ success: false, code: 'UNAUTHORIZED' });
      }
    });

    it('a GET request without an upgrade returns 426', async () => {
      const reply = await api(fixture.agent).get('/v3/ws');
      expect([reply.status, reply.body.code]).to.deep.equal([426, 'UPGRADE_REQUIRED']);
    });

    it('a stream ticket opens one stream or one socket, of its project only', async () => {
      const other = await aProject();
      const ticket = await ticketOf(fixture.agent);
      const { url } = (await open(null, { query: `ticket=${ticket}` })).socket;
      const base = url.replace('ws:', 'http:').replace(/\/v3\/ws.*/, '');
      expect((await open(null, { query: `ticket=${ticket}` })).status).to.equal(401);
      const stream = (project: string, value: string) => call('GET', `${base}/v3/${project}/stream?ticket=${value}`);
      expect((await stream(projectId, await ticketOf(fixture.agent))).status).to.equal(200);
      expect((await stream(projectId, ticket)).status).to.equal(401);
      expect((await stream(projectId, await ticketOf(other.owner, other.project.id))).status).to.equal(403);
      const socket = await open(null, { query: `ticket=${await ticketOf(fixture.agent)}` });
      expect((await socket.subscribe(`/${other.project.id}/requests`)).payload.code).to.equal('NOT_MEMBER');
    });

    it('a token in the URL of a stream is not accepted', async () => {
      const token = fixture.agent.authorization.slice('JWT '.length);
      expect((await api().get(`/v3/${projectId}/stream?token=${token}`)).status).to.equal(401);
    });

    it('neither stream tickets nor tokens are logged', async () => {
      const logging = await theLimitedApi();
      const countLogged = async () => (await completeOutput(logging)).split('/v3/ws').length;
      const logged = await countLogged();
      const token = fixture.agent.authorization.slice('JWT '.length);
      const ticket = await ticketOf(fixture.agent);
      for (const query of [`ticket=${ticket}`, `ticket=${ticket}`, `token=${token}`, `token=${token}x`])
        await open(null, { url: logging.url, query });
      expect(await countLogged()).to.be.at.least(logged + 4);
      expect(logging.output()).to.not.include(ticket).and.not.include(token);
    });
  });

  describe('cursor', () => {
    it('a client that reconnects with its cursor, even to another process, receives each change exactly once', async () => {
      const other = await theOtherApi();
      const first = await open(fixture.agent);
      // Only the owner receives the appended messages: the agent is not a participant of their conversation.
      const owner = await open(fixture.owner);
      await owner.subscribe(topic);
      await first.subscribe(topic);
      await append(0, 5);
      const received: ReceivedFrame[] = [];
      while (received.length < 3) received.push(await owner.next(isMessage));
      owner.socket.terminate();
      await append(5, 150);
      for (const options of [{ url: other.url }, {}]) {
        const again = await open(fixture.owner, options);
        again.resume(topic, received.at(-1)?.payload.cursor);
        const target = received.length + 60;
        while (received.length < target) received.push(await again.next(isMessage));
        again.socket.terminate();
      }
      const last = await open(fixture.owner);
      last.resume(topic, received.at(-1)?.payload.cursor);
      while (received.length < 150) received.push(await last.next(isMessage));
      expect(received.map(numberOf)).to.deep.equal(numbersBelow(150));
      await append(150, 151);
      expect(numberOf(await last.next(isMessage))).to.equal(150);
      expect(first.frames.filter(isMessage)).to.deep.equal([]);
    });

    it('a topic that resumes does not repeat the frames of another topic', async () => {
      const client = await open(fixture.owner);
      const all = `/${projectId}/requests`;
      await client.subscribe(all);
      const [start] = await append(0, 10);
      await appendChanges(projectId, {
        event: 'request.create',
        payload: { _id: 'r0', id_project: projectId, status: 100 },
      });
      await client.next(({ payload }) => payload.message?._id === 'r0');
      client.resume(topic, start as string);
      const numbers = [];
      while (numbers.length < 9) numbers.push(numberOf(await client.next(isMessage)));
      expect(numbers).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      await client.settle();
      expect(client.frames).to.deep.equal([]);
    });

    it('after a gap in the changes log, where events may be missing, the client receives a gap frame and the state again', async () => {
      try {
        const client = await open(fixture.owner);
        await client.subscribe(topic);
        await appendGap();
        await notifyFollowers(projectId);
        const { payload } = await client.next(({ action }) => action === 'gap');
        expect(payload.topic).to.equal(topic);
        expect((await client.next(({ action }) => action === 'publish')).payload).to.deep.include({
          topic,
          method: 'CREATE',
          message: [],
        });
        await append(0, 1);
        expect(numberOf(await client.next(isMessage))).to.equal(0);
      } finally {
        await removeGaps();
      }
    });
  });
});
