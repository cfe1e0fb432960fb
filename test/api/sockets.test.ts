import { expect } from 'chai';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject, aTeammate, aVisitor, PASSWORD } from '../support/people.ts';
import { startRelayOnce } from '../support/relay.ts';
import { waitForAccessPoll } from '../support/mongo-commands.ts';
import type { ReceivedFrame } from '../support/asyncapi.ts';
import { openSocket } from '../support/socket-client.ts';

type Client = Awaited<ReturnType<typeof openSocket>>;

const ofTopic =
  (topic: string, method?: string) =>
  ({ action, payload }: ReceivedFrame): boolean =>
    action === 'publish' && payload.topic === topic && (!method || payload.method === method);

describe('GET /v3/ws', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let projectId: string;
  const clients: Client[] = [];

  before(startRelayOnce);
  beforeEach(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.terminate();
  });

  const open = async (caller: Caller | null, options = {}) => {
    const client = await openSocket(caller, options);
    clients.push(client);
    return client;
  };
  const topicOf = (key: string) => `/${projectId}/${key}`;
  const post = (caller: Caller, request: string, text: string) =>
    api(caller).post(`/v3/${projectId}/requests/${request}/messages`, { text });

  describe('topics', () => {
    it('/requests sends the open conversations, then each new and changed one', async () => {
      await post(fixture.guest, 'first', 'hello');
      const client = await open(fixture.owner);
      const { payload } = await client.subscribe(topicOf('requests'));
      expect(payload.method).to.equal('CREATE');
      expect(payload.message.map((each: { request_id: string }) => each.request_id)).to.deep.equal(['first']);
      expect(payload.message[0]).to.include({ id: payload.message[0]._id });
      await post(fixture.guest, 'second', 'again');
      const created = await client.next(ofTopic(topicOf('requests'), 'CREATE'));
      expect(created.payload.message).to.include({ request_id: 'second' });
      expect(created.payload.message.snapshot.agents.map((each: object) => Object.keys(each))).to.deep.include([
        'id_user',
      ]);
      await api(fixture.owner).put(`/v3/${projectId}/requests/second/close`);
      const isClosing = (frame: ReceivedFrame) =>
        ofTopic(topicOf('requests'), 'UPDATE')(frame) && frame.payload.message.status === 1000;
      expect((await client.next(isClosing)).payload.message).to.include({ request_id: 'second' });
    });

    it('/requests/<request_id>/messages sends the messages, oldest first, then each new one once', async () => {
      await post(fixture.guest, 'talk', 'one');
      await post(fixture.guest, 'talk', 'two');
      const client = await open(fixture.owner);
      const topic = topicOf('requests/talk/messages');
      const texts = (messages: { text: string; sender: string }[]) =>
        messages.filter(({ sender }) => sender !== 'system').map(({ text }) => text);
      const { payload } = await client.subscribe(topic);
      expect(texts(payload.message)).to.deep.equal(['one', 'two']);
      await post(fixture.guest, 'talk', 'three');
      const isText = (text: string) => (frame: ReceivedFrame) => frame.payload?.message?.text === text;
      const { payload: created } = await client.next(isText('three'));
      expect(created).to.include({ topic, method: 'CREATE' });
      expect(created.message.request).to.include({ request_id: 'talk' });
      await client.settle();
      const repeated = client.frames.filter((frame) => ['one', 'two'].includes(frame.payload?.message?.text));
      expect(repeated).to.deep.equal([]);
    });

    it('/requests/<request_id> sends null for an unknown conversation, and the conversation once it exists', async () => {
      const client = await open(fixture.guest);
      const topic = topicOf('requests/later');
      expect((await client.subscribe(topic)).payload.message).to.equal(null);
      await post(fixture.guest, 'later', 'hello');
      const { payload } = await client.next(ofTopic(topic, 'CREATE'));
      expect(payload.message).to.include({ request_id: 'later' });
      expect(payload.message).to.not.have.property('snapshot');
    });

    it('/project_users/users/<user_id> sends the teammate, then each change', async () => {
      const client = await open(fixture.owner);
      const topic = topicOf(`project_users/users/${fixture.agent.id}`);
      const { payload } = await client.subscribe(topic);
      expect(payload.message).to.include({ role: 'agent', isBusy: false });
      await api(fixture.agent).put(`/v3/${projectId}/project_users`, { user_available: false });
      expect((await client.next(ofTopic(topic, 'UPDATE'))).payload.message).to.include({ user_available: false });
    });

    it('/project_users/<project_user_id> is open to that teammate only', async () => {
      const member = await ProjectUser.findOne({ id_project: projectId, id_user: fixture.agent.id }).orFail();
      const topic = topicOf(`project_users/${String(member._id)}`);
      const own = await open(fixture.agent);
      expect((await own.subscribe(topic)).payload.message).to.include({ _id: String(member._id) });
      const other = await open(fixture.owner);
      expect(await other.subscribe(topic)).to.deep.include({ action: 'error' });
    });

    it('/events/<project_user_id> sends the custom events of a member, newest first', async () => {
      const member = await ProjectUser.findOne({ id_project: projectId, uuid_user: fixture.guest.id }).orFail();
      const fire = (name: string) => api(fixture.guest).post(`/v3/${projectId}/events`, { name: `event.emit.${name}` });
      await fire('one');
      await fire('two');
      const client = await open(fixture.agent);
      const topic = topicOf(`events/${String(member._id)}`);
      const names = ({ payload }: ReceivedFrame) =>
        [payload.message].flat().map(({ name }: { name: string }) => name.replace('event.emit.', ''));
      expect(names(await client.subscribe(topic))).to.deep.equal(['two', 'one']);
      expect(names(await client.subscribe(`${topic}/one`))).to.deep.equal(['one']);
      await fire('one');
      expect(names(await client.next(ofTopic(topic, 'CREATE')))).to.deep.equal(['one']);
      expect(names(await client.next(ofTopic(`${topic}/one`, 'CREATE')))).to.deep.equal(['one']);
    });

    it('/bots/<bot_id> sends the bot to admins, then each change', async () => {
      const { body: bot } = await api(fixture.owner).post(`/v3/${projectId}/bots`, { name: 'Bot' });
      const topic = topicOf(`bots/${bot._id}`);
      const client = await open(fixture.admin);
      const { payload } = await client.subscribe(topic);
      expect(payload.message).to.include({ name: 'Bot' });
      expect(payload.message).to.not.have.property('secret');
      await api(fixture.owner).put(`/v3/${projectId}/bots/${bot._id}`, { name: 'Renamed' });
      expect((await client.next(ofTopic(topic, 'UPDATE'))).payload.message).to.include({ name: 'Renamed' });
      const agent = await open(fixture.agent);
      expect(await agent.subscribe(topic)).to.deep.include({ action: 'error' });
    });

    it('/changes sends each change after the subscription in the format of GET /changes, and /changes/<event> sends those of one event', async () => {
      const client = await open(fixture.owner);
      const [all, created] = [topicOf('changes'), topicOf('changes/lead.create')];
      for (const topic of [all, created]) expect((await client.subscribe(topic)).payload.message).to.deep.equal([]);
      await api(fixture.owner).post(`/v3/${projectId}/tags`, { tag: 'vip' });
      await api(fixture.owner).post(`/v3/${projectId}/leads`, { fullname: 'Ada' });
      const { payload } = await client.next(ofTopic(created));
      const frame = await client.next(
        ({ payload: each }) => each.topic === all && each.message.event === 'lead.create',
      );
      const { body } = await api(fixture.owner).get(`/v3/${projectId}/changes?after=0`);
      const listed = body.changes.find(({ event }: { event: string }) => event === 'lead.create');
      expect(payload).to.deep.equal({ topic: created, method: 'CREATE', message: listed, cursor: listed.cursor });
      expect(frame.payload).to.deep.equal({ ...payload, topic: all });
    });

    it('an unknown topic, a topic of another project and a publish frame from a client cause an error frame', async () => {
      const other = await aProject();
      const client = await open(fixture.owner);
      const codeOf = async (topic: string) => (await client.subscribe(topic)).payload.code;
      expect(await codeOf('/nothing')).to.equal('UNKNOWN_TOPIC');
      expect(await codeOf(topicOf('leads/1'))).to.equal('UNKNOWN_TOPIC');
      expect(await codeOf(`/${other.project.id}/requests`)).to.equal('NOT_MEMBER');
      client.send('publish', { topic: topicOf('requests'), message: {} });
      expect((await client.next(({ action }) => action === 'error')).payload.code).to.equal('INVALID_FRAME');
    });
  });

  describe('visibility', () => {
    it('an agent receives a conversation only while the agent is eligible for it or participates in it', async () => {
      await api(fixture.agent).put(`/v3/${projectId}/project_users`, { user_available: false });
      const outsider = await aTeammate(projectId, 'agent');
      await ProjectUser.updateOne({ id_project: projectId, id_user: outsider.id }, { user_available: false });
      const { body: group } = await api(fixture.owner).post(`/v3/${projectId}/groups`, {
        name: 'G',
        members: [fixture.agent.id],
      });
      const { body: department } = await api(fixture.owner).post(`/v3/${projectId}/departments`, {
        name: 'D',
        routing: 'pooled',
        id_group: group._id,
      });
      await api(fixture.agent).put(`/v3/${projectId}/project_users`, { user_available: true });
      const [inside, outside] = [await open(fixture.agent), await open(outsider)];
      const topics = [topicOf('requests'), topicOf('requests/x'), topicOf('requests/x/messages')];
      for (const client of [inside, outside]) for (const topic of topics) await client.subscribe(topic);
      await api(fixture.guest).post(`/v3/${projectId}/requests/x/messages`, {
        text: 'hello',
        departmentid: department._id,
      });
      for (const topic of topics) await inside.next(ofTopic(topic, 'CREATE'));
      // As a participant, the other agent receives the frames that follow.
      await api(fixture.owner).post(`/v3/${projectId}/requests/x/participants`, { member: outsider.id });
      await outside.next(ofTopic(topics[0] as string, 'UPDATE'));
      await post(fixture.guest, 'x', 'more');
      const { payload } = await outside.next((frame) => frame.payload?.message?.text === 'more');
      expect(payload.topic).to.equal(topics[2]);
      const earlier = outside.frames.filter((frame) => frame.payload?.message?.text === 'hello');
      expect(earlier).to.deep.equal([]);
    });

    it('a visitor receives their own conversations, without private messages', async () => {
      const other = await aVisitor(projectId);
      const client = await open(fixture.guest);
      const stranger = await open(other);
      const topics = ['requests', 'requests/mine', 'requests/mine/messages', 'changes'].map(topicOf);
      for (const each of [client, stranger]) for (const topic of topics) await each.subscribe(topic);
      await post(fixture.guest, 'mine', 'hello');
      await post(other, 'theirs', 'hello');
      await api(fixture.owner).post(`/v3/${projectId}/requests/mine/messages`, {
        text: 'internal',
        attributes: { subtype: 'private' },
      });
      await post(fixture.owner, 'mine', 'public');
      await client.next((frame) => frame.payload?.message?.text === 'public');
      expect(client.frames.filter((frame) => frame.payload?.message?.text === 'internal')).to.deep.equal([]);
      await stranger.next(ofTopic(topics[0] as string, 'CREATE'));
      expect(client.frames.every((frame) => !JSON.stringify(frame).includes('theirs'))).to.equal(true);
      expect(stranger.frames.every((frame) => !JSON.stringify(frame).includes('mine'))).to.equal(true);
      expect((await client.subscribe(topicOf(`project_users/users/${fixture.agent.id}`))).payload.code).to.equal(
        'ROLE_TOO_LOW',
      );
    });

    it('a topic sends no frames to a teammate whose membership has ended', async () => {
      const client = await open(fixture.agent);
      const topic = topicOf('requests');
      await client.subscribe(topic);
      const { body: member } = await api(fixture.owner).get(`/v3/${projectId}/project_users/users/${fixture.agent.id}`);
      await api(fixture.owner).delete(`/v3/${projectId}/project_users/${member._id}?soft=true`);
      await waitForAccessPoll();
      await post(fixture.guest, 'after', 'hello');
      const { payload } = await client.next(({ action }) => action === 'error');
      expect(payload).to.include({ topic, code: 'NOT_MEMBER' });
      expect(client.frames.filter(ofTopic(topic, 'CREATE'))).to.deep.equal([]);
    });

    it('the socket is closed with the code 4401 when its credentials are no longer valid', async () => {
      const client = await open(fixture.agent);
      await client.subscribe(topicOf('requests'));
      await api(fixture.agent).put('/v3/users/changepsw', { oldpsw: PASSWORD, newpsw: 'another horse' });
      await waitForAccessPoll();
      await post(fixture.guest, 'after', 'hello');
      await client.ended();
      expect(client.closed?.code).to.equal(4401);
      expect(client.frames.filter(ofTopic(topicOf('requests'), 'CREATE'))).to.deep.equal([]);
    });
  });
});
