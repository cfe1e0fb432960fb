/** Typing events: who receives them, and how often they are emitted. */
import { expect } from 'chai';
import { CustomEvent, VisitorTypingView } from '#shared/models/custom-event.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller, call } from '../support/api.ts';
import { theDeployedClientsApi } from '../support/api-process.ts';
import { appendChanges } from '../support/append-changes.ts';
import { readLog, relayedChanges, waitForRelay } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import type { ReceivedFrame } from '../support/asyncapi.ts';
import { aProject, aTeammate, aVisitor } from '../support/people.ts';

import { startRelayOnce } from '../support/relay.ts';
import { openSocket } from '../support/socket-client.ts';

const NAME = 'event.emit.typing.start';

describe('Typing events', () => {
  let conversation: Awaited<ReturnType<typeof aConversation>>;
  let id_project: string;
  const clients: Awaited<ReturnType<typeof openSocket>>[] = [];

  before(startRelayOnce);
  beforeEach(async () => {
    conversation = await aConversation();
    id_project = conversation.project.id;
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.terminate();
  });

  const type = (caller: Caller, recipient_id = conversation.request_id, name = NAME) =>
    api(caller).post(`/v3/${id_project}/events`, {
      name,
      attributes: { recipient_id, writer_id: caller.id, data: 'secret draft' },
    });
  const open = async (caller: Caller, options = {}) => {
    const client = await openSocket(caller, options);
    clients.push(client);
    return client;
  };
  const follow = async (caller: Caller) => {
    const client = await open(caller);
    const { payload } = await client.subscribe(`/${id_project}/requests/${conversation.request_id}/typing`);
    expect(payload.message).to.deep.equal([]);
    return client;
  };
  const isFrame = ({ action }: ReceivedFrame): boolean => action === 'publish';

  it('an agent of a conversation receives the typing events of the visitor, and the visitor receives only the names of others who are typing', async () => {
    const [owner, visitor] = [await follow(conversation.owner), await follow(conversation.guest)];
    const { body } = await type(conversation.guest);
    const seen = (await owner.next(isFrame)).payload;
    expect(seen.message).to.deep.include({ _id: body._id, name: NAME, createdBy: conversation.guest.id });
    expect(seen.message.request).to.include({ request_id: conversation.request_id });
    await type(conversation.owner);
    const { payload } = await visitor.next(isFrame);
    expect(VisitorTypingView.safeParse(payload.message).error).to.equal(undefined);
    expect(payload.message).to.deep.include({
      attributes: { recipient_id: conversation.request_id, writer_id: conversation.owner.id },
      user: { _id: conversation.owner.id, firstname: 'Ann', lastname: 'Lee' },
    });
    expect(visitor.frames.filter(isFrame), "events of the visitor's own typing").to.deep.equal([]);
  });

  it('other visitors, and agents who do not see the conversation, receive none of its typing events', async () => {
    const outsider = await aTeammate(id_project, 'agent');
    const stranger = await aVisitor(id_project);
    const [agent, visitor, guest] = [await follow(outsider), await follow(stranger), await follow(conversation.guest)];
    await type(outsider); // an ordinary custom event, because the author does not see the conversation
    await type(stranger);
    await type(conversation.owner);
    expect((await guest.next(isFrame)).payload.message.createdBy).to.equal(conversation.owner.id);
    await waitForRelay();
    const changesOf = async (caller: Caller) =>
      (await api(caller).get(`/v3/${id_project}/changes?after=0`)).body.changes;
    expect((await changesOf(stranger)).length).to.equal(0);
    const own = (await changesOf(conversation.guest)).filter(({ event }: { event: string }) => event === NAME);
    expect(own.map(({ payload }: { payload: { createdBy: string } }) => payload.createdBy)).to.deep.equal([
      conversation.owner.id,
    ]);
    for (const each of [agent, visitor, guest]) {
      await each.settle();
      expect(each.frames.filter(isFrame)).to.deep.equal([]);
    }
  });

  it('while a person keeps typing, at most one event every two seconds is emitted', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => type(conversation.guest)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body._id}`))).to.have.lengthOf(1);
    await type(conversation.owner);
    const emitted = (await relayedChanges(id_project)).filter(({ event }) => event === NAME);
    expect(emitted.map(({ payload }) => payload.createdBy)).to.deep.equal([
      conversation.guest.id,
      conversation.owner.id,
    ]);
  });

  it('a typing event whose conversation is unknown or missing is an ordinary custom event', async () => {
    for (const attributes of [{ recipient_id: 'unknown' }, { recipient_id: 5 }, {}])
      expect(
        (await api(conversation.guest).post(`/v3/${id_project}/events`, { name: NAME, attributes })).status,
      ).to.equal(200);
    await waitForRelay();
    const emitted = (await readLog(id_project)).filter(({ event }) => event === NAME);
    expect(emitted).to.have.lengthOf(3);
    for (const each of emitted) {
      expect(each).to.not.have.property('visitor');
      expect(each.payload).to.not.have.property('request');
    }
  });

  it('a client that resumes does not receive typing events older than ten seconds', async () => {
    const project = (await aProject()).project.id;
    const request = { request_id: 'talk', agents: [], participants: [] };
    const typed = (_id: string, age: number) => ({ event: NAME, payload: { _id, id_project: project, request }, age });
    await appendChanges(project, typed('long ago', 15), typed('just now', 5));
    const client = await open(await aTeammate(project, 'admin'), { checkFrames: false });
    client.resume(`/${project}/requests/talk/typing`, '0');
    expect((await client.next(isFrame)).payload.message._id).to.equal('just now');
  });

  it('typing events are omitted from the initial state of the topic /events/<project_user_id>, unless the topic names them', async () => {
    const { body } = await type(conversation.guest);
    const member = await ProjectUser.findOne({ id_project, uuid_user: conversation.guest.id }).orFail();
    const client = await open(conversation.owner);
    const topic = `/${id_project}/events/${String(member._id)}`;
    expect((await client.subscribe(topic)).payload.message).to.deep.equal([]);
    const ids = (await client.subscribe(`${topic}/typing.start`)).payload.message.map(
      ({ _id }: { _id: string }) => _id,
    );
    expect(ids).to.deep.equal([body._id]);
    expect((await CustomEvent.findById(body._id, {}, { anyProject: true }).lean())?.request_id).to.equal(
      conversation.request_id,
    );
  });

  it('in the deployed-clients wire profile, the name of a typing event may omit the prefix event.emit', async () => {
    const { url } = await theDeployedClientsApi();
    const body = { name: 'typing.start', attributes: { recipient_id: conversation.request_id } };
    const headers = { authorization: conversation.guest.authorization };
    const visitor = await follow(conversation.owner);
    const reply = await call('POST', `${url}/v3/${id_project}/events`, { body, headers });
    expect([reply.status, reply.body.name]).to.deep.equal([200, 'typing.start']);
    expect((await visitor.next(isFrame)).payload.message).to.include({ _id: reply.body._id, name: 'typing.start' });
  });
});
