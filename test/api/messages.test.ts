/** Messages over HTTP: they open or continue a conversation, and are stored once when they are repeated. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { api, type Caller } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { setQuotas } from '../support/quotas.ts';

const ID_PATTERN = /^[0-9a-f]{24}$/;

describe('Messages that open a conversation', () => {
  it('a message to an unknown request_id opens a conversation with a lead and assigns it to an available teammate', async () => {
    const { posted, guest, request_id, project, owner, admin, agent, read, newEvents } = await aConversation();
    expect(await newEvents()).to.deep.equal([
      'project.create',
      'lead.create',
      'request.create',
      'request.assigned',
      'message.create',
    ]);
    expect(posted.status).to.equal(200);
    expect(posted.body).to.include({ text: 'Where is my order?', type: 'text', status: 0, recipient: request_id });
    expect(posted.body).to.include({ sender: guest.id, channel_type: 'group' }).and.have.property('request');
    const request = await read();
    expect(request).to.include({ request_id, id_project: project.id, status: 200, first_text: 'Where is my order?' });
    expect(request).to.include({ ticket_id: 1, hasBot: false, preflight: false, requester_id: request.lead._id });
    expect(request.lead).to.include({ lead_id: guest.id, createdBy: 'system' });
    expect(request.department).to.match(ID_PATTERN);
    expect(request.snapshot.department).to.include({ _id: request.department, default: true, routing: 'assigned' });
    expect(request.snapshot.availableAgentsCount).to.equal(3);
    expect(request.requester).to.include({ uuid_user: guest.id, role: 'guest' });
    expect(request.agents.map(({ id_user }: { id_user: { _id: string } }) => id_user._id)).to.have.members([
      owner.id,
      admin.id,
      agent.id,
    ]);
    expect([owner.id, admin.id, agent.id]).to.include(request.participants[0]);
    expect(request.participantsAgents).to.deep.equal(request.participants);
    expect(request.participatingAgents[0]).to.include({ _id: request.participants[0], firstname: 'Ann' });
    expect(request.attributes.last_message).to.include({ _id: posted.body._id, text: 'Where is my order?' });
  });

  it('a first message opens an unassigned conversation in a department with pooled routing, and applies a given status, preflight or participants', async () => {
    const { project, guest } = await aProject();
    const pooled = { id_project: project.id, name: 'Sales', routing: 'pooled', createdBy: 'test' };
    const [sales] = await Department.create([pooled]);
    const open = (body: object) =>
      api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Hi', ...body });
    const inPool = await open({ departmentid: String(sales?._id) });
    expect(inPool.body.request).to.include({ status: 100, department: String(sales?._id) });
    expect(inPool.body.request.participants).to.deep.equal([]);
    expect((await open({ request_status: 50, preflight: true })).body.request).to.include({
      status: 50,
      preflight: true,
    });
    expect((await open({ participants: ['bot_7'] })).body.request).to.deep.include({
      status: 200,
      hasBot: true,
      participants: ['bot_7'],
      participantsBots: ['7'],
      participantsAgents: [],
    });
    expect(await open({ department: 'f'.repeat(24) })).to.deep.include({ status: 422 });
  });

  it('a message of the type text without text, or of the type image, frame or file without a web address, is refused (422)', async () => {
    const { project, guest } = await aProject();
    const open = (body: object) => api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, body);
    const withoutText = await open({});
    expect(withoutText.status).to.equal(422);
    expect(withoutText.body.errors).to.deep.equal(['text is required']);
    for (const type of ['image', 'frame', 'file']) {
      expect((await open({ type })).body.errors[0]).to.include({ path: 'metadata' });
      for (const src of ['/a.png', 'javascript:alert(1)', 'data:text/html,x', 7])
        expect((await open({ type, metadata: { src } })).body.errors[0]).to.include({ path: 'metadata.src' });
    }
    expect((await open({ type: 'image', metadata: { src: 'https://x.example/a.png' } })).status).to.equal(200);
  });

  it("a second conversation of a visitor reuses the visitor's lead and updates its email address and name", async () => {
    const { project, guest, posted } = await aConversation();
    const openAnother = (body: object) =>
      api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Again', ...body });
    const { body } = await openAnother({ email: 'me@example.com', senderFullname: 'Me' });
    expect(body.request.lead).to.include({
      _id: posted.body.request.lead._id,
      email: 'me@example.com',
      fullname: 'Me',
    });
    expect((await openAnother({})).body.request.lead).to.include({ email: 'me@example.com', fullname: 'Me' });
    expect(await Lead.countDocuments({ id_project: project.id })).to.equal(1);
    expect(body.request.ticket_id).to.equal(2);
  });

  it('the same request_id in two projects identifies two separate conversations', async () => {
    const [one, other] = await Promise.all([aConversation(), aProject()]);
    const path = `/v3/${other.project.id}/requests/${one.request_id}/messages`;
    expect((await api(other.owner).get(path)).body).to.deep.equal([]);
    const { body } = await api(other.guest).post(path, { text: 'Mine' });
    expect(body.request).to.include({ id_project: other.project.id, first_text: 'Mine' });
    expect((await api(other.owner).get(path)).body).to.have.length(1);
    expect(await one.messages()).to.have.length(1);
  });

  it('with `sender`, a teammate can open a conversation on behalf of a visitor, but receives 403 for a sender outside the project', async () => {
    const { project, guest, agent } = await aProject();
    const open = (body: object) => api(agent).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, body);
    expect((await open({ text: 'For a visitor', sender: guest.id })).body.request.lead.lead_id).to.equal(guest.id);
    expect((await open({ text: 'For nobody', sender: 'nobody' })).status).to.equal(403);
  });
});

describe('Messages in a conversation', () => {
  it('a message becomes the last message of its conversation, and does not reopen a closed conversation', async () => {
    const { post, guest, owner, one, read, messages } = await aConversation();
    const { body } = await post(guest, { text: 'Hello?', attributes: { a: 1 } });
    expect((await read()).attributes.last_message).to.include({ _id: body._id, text: 'Hello?' });
    await api(owner).put(`${one}/close`, {});
    await post(guest, { text: 'Still there?' });
    expect(await read()).to.include({ status: 1000 });
    const texts = (await messages()).map(({ text }: { text: string }) => text);
    expect(texts).to.deep.equal(['Where is my order?', 'Hello?', 'The conversation has ended', 'Still there?']);
  });

  it('the first message from a teammate to the visitor sets the waiting time, and a private message does not', async () => {
    const { post, agent, guest, read } = await aConversation();
    await post(guest, { text: 'Hello?' });
    await post(agent, { text: 'Who takes it?', attributes: { subtype: 'private' } });
    expect(await read()).to.not.have.any.keys('waiting_time', 'first_response_at');
    await post(agent, { text: 'I am looking' });
    const { waiting_time, first_response_at, createdAt } = await read();
    expect(waiting_time).to.equal(Date.parse(first_response_at) - Date.parse(createdAt));
    await post(agent, { text: 'Found it' });
    expect(await read()).to.include({ waiting_time });
  });

  it('a message from the visitor ends the pending state of the conversation, and a message from a teammate does not', async () => {
    const { post, agent, guest, request_id, project, read, newEvents } = await aConversation();
    await Conversation.updateOne({ id_project: project.id, request_id }, { workingStatus: 'pending' });
    await post(agent, { text: 'We wait for the courier' });
    expect(await read()).to.include({ workingStatus: 'pending' });
    await newEvents();
    await post(guest, { text: 'It came' });
    expect(await read()).to.include({ workingStatus: 'open' });
    expect(await newEvents()).to.deep.equal(['request.workingStatus.update', 'request.update', 'message.create']);
  });

  it('posting a message takes three database commands: findAndModify, insert and commitTransaction', async () => {
    const { post, guest } = await aConversation();
    await post(guest, { text: 'Warm' });
    const commands = await commandsDuring(() => post(guest, { text: 'Counted' }));
    const names = commands.map((command) => Object.keys(command as object)[0]);
    expect(names).to.deep.equal(['findAndModify', 'insert', 'commitTransaction']);
  });

  it('a first message takes 11 database commands, and the last four are three inserts and their commit', async () => {
    const { project, guest } = await aProject();
    const open = () => api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Counted' });
    for (let teammate = 0; teammate < 3; teammate += 1) await open(); // caches the account of each teammate
    const commands = (await commandsDuring(open)) as object[];
    const names = commands.map((command) => Object.keys(command)[0]);
    expect(names.slice(-4)).to.deep.equal(['insert', 'insert', 'insert', 'commitTransaction']);
    expect(names).to.have.length(11);
  });
});

describe('Repeated messages', () => {
  const TIMES = 10;

  it('concurrent messages with the same client_message_id are stored once and receive the same reply', async () => {
    const { post, guest, project, request_id } = await aConversation();
    const send = () => post(guest, { text: 'Once', client_message_id: 'mine-1' });
    const answers = await Promise.all(Array.from({ length: TIMES }, send));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project: project.id, recipient: request_id, text: 'Once' })).to.equal(1);
  });

  it('concurrent first messages with the same Idempotency-Key open one conversation with one message', async () => {
    const { project, guest } = await aProject();
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const send = () => api(guest).post(path, { text: 'Once' }, { 'idempotency-key': 'k1' });
    const answers = await Promise.all(Array.from({ length: TIMES }, send));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project: project.id })).to.equal(1);
    expect(await Conversation.countDocuments({ id_project: project.id })).to.equal(1);
  });

  it('a repeated message returns the stored one after a limit has been reached (413, 403), and no other visitor receives it', async () => {
    const { post, guest, agent, project, request_id } = await aConversation();
    const message = { text: 'Once', client_message_id: 'mine-2' };
    const stored = await post(guest, message);
    const setBytes = (bytes: number) =>
      Conversation.updateOne({ id_project: project.id, request_id }, { $set: { bytes } }, { strict: false });
    const statusAndId = async (by: Caller) => {
      const { status, body } = await post(by, message);
      return [status, body._id];
    };
    await setBytes(2_000_000);
    expect((await post(guest, { text: 'New' })).status).to.equal(413);
    expect(await statusAndId(guest)).to.deep.equal([200, stored.body._id]);
    expect(await statusAndId(await aVisitor(project.id))).to.deep.equal([403, undefined]);
    await setBytes(0);
    await setQuotas(project.id, { messages: 2 });
    expect((await post(agent, { text: 'New' })).status).to.equal(403);
    expect(await statusAndId(guest)).to.deep.equal([200, stored.body._id]);
    expect(await Message.countDocuments({ id_project: project.id, recipient: request_id, text: 'New' })).to.equal(0);
  });

  it('the same client_message_id in two conversations identifies two messages', async () => {
    const { post, guest, root } = await aConversation();
    const { body } = await post(guest, { text: 'Here', client_message_id: 'same' });
    const other = await api(guest).post(`${root}/${randomUUID()}/messages`, {
      text: 'There',
      client_message_id: 'same',
    });
    expect(other.body._id).to.not.equal(body._id);
    expect(other.body.text).to.equal('There');
  });
});
