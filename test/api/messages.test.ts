/** Messages over HTTP: they open a conversation or go on with it, once however often they are sent. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Department } from '#shared/models/department.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/commands.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';
import { stopRelaying } from '../support/relay.ts';

const ID = /^[0-9a-f]{24}$/;

describe('A message to an unknown request_id', () => {
  it('opens a conversation with its lead, given to a teammate who is there', async () => {
    const { posted, guest, request_id, project, owner, admin, agent, read, told } = await aConversation();
    expect(await told()).to.deep.equal([
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
    expect(request.department).to.match(ID);
    expect(request.snapshot.department).to.include({ _id: request.department, default: true, routing: 'assigned' });
    expect(request.snapshot.availableAgentsCount).to.equal(3);
    expect(request.requester).to.include({ uuid_user: guest.id, role: 'guest' });
    expect(request.agents.map(({ id_user }: { id_user: string }) => id_user)).to.have.members([
      owner.id,
      admin.id,
      agent.id,
    ]);
    expect([owner.id, admin.id, agent.id]).to.include(request.participants[0]);
    expect(request.participantsAgents).to.deep.equal(request.participants);
    expect(request.participatingAgents[0]).to.include({ _id: request.participants[0], firstname: 'Ann' });
    expect(request.attributes.last_message).to.include({ _id: posted.body._id, text: 'Where is my order?' });
  });

  it('leaves it to whoever comes in a pooled department, and starts a temporary one where that is asked', async () => {
    const { project, guest } = await aProject();
    const pooled = { id_project: project.id, name: 'Sales', routing: 'pooled', createdBy: 'test' };
    const [sales] = await Department.create([pooled]);
    const open = (body: object) =>
      api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Hi', ...body });
    const pooledOne = await open({ departmentid: String(sales?._id) });
    expect(pooledOne.body.request).to.include({ status: 100, department: String(sales?._id) });
    expect(pooledOne.body.request.participants).to.deep.equal([]);
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

  it('needs a text, unless it is of another type; an image, a frame or a file needs its address of the web', async () => {
    const { project, guest } = await aProject();
    const open = (body: object) => api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, body);
    const wordless = await open({});
    expect(wordless.status).to.equal(422);
    expect(wordless.body.errors).to.deep.equal(['text is required']);
    for (const type of ['image', 'frame', 'file']) {
      expect((await open({ type })).body.errors[0]).to.include({ path: 'metadata' });
      for (const src of ['/a.png', 'javascript:alert(1)', 'data:text/html,x', 7])
        expect((await open({ type, metadata: { src } })).body.errors[0]).to.include({ path: 'metadata.src' });
    }
    expect((await open({ type: 'image', metadata: { src: 'https://x.example/a.png' } })).status).to.equal(200);
  });

  it('knows its lead again, and takes over another e-mail', async () => {
    const { project, guest, posted } = await aConversation();
    const again = (body: object) =>
      api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Again', ...body });
    const { body } = await again({ email: 'me@example.com', senderFullname: 'Me' });
    expect(body.request.lead).to.include({
      _id: posted.body.request.lead._id,
      email: 'me@example.com',
      fullname: 'Me',
    });
    expect((await again({})).body.request.lead).to.include({ email: 'me@example.com', fullname: 'Me' });
    expect(await Lead.countDocuments({ id_project: project.id })).to.equal(1);
    expect(body.request.ticket_id).to.equal(2);
  });

  it('is of its own project, whatever another one has under that request_id', async () => {
    const [one, other] = await Promise.all([aConversation(), aProject()]);
    const path = `/v3/${other.project.id}/requests/${one.request_id}/messages`;
    expect((await api(other.owner).get(path)).body).to.deep.equal([]);
    const { body } = await api(other.guest).post(path, { text: 'Mine' });
    expect(body.request).to.include({ id_project: other.project.id, first_text: 'Mine' });
    expect((await api(other.owner).get(path)).body).to.have.length(1);
    expect(await one.messages()).to.have.length(1);
  });

  it('is of the named sender where a teammate says so; of nobody who is no member', async () => {
    const { project, guest, agent } = await aProject();
    const open = (body: object) => api(agent).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, body);
    expect((await open({ text: 'For a visitor', sender: guest.id })).body.request.lead.lead_id).to.equal(guest.id);
    expect((await open({ text: 'For nobody', sender: 'nobody' })).status).to.equal(403);
  });
});

describe('A message to a conversation', () => {
  it('becomes its last one, and opens no closed one', async () => {
    const { post, guest, owner, one, read, messages } = await aConversation();
    const { body } = await post(guest, { text: 'Hello?', attributes: { a: 1 } });
    expect((await read()).attributes.last_message).to.include({ _id: body._id, text: 'Hello?' });
    await api(owner).put(`${one}/close`, {});
    await post(guest, { text: 'Still there?' });
    expect(await read()).to.include({ status: 1000 });
    const texts = (await messages()).map(({ text }: { text: string }) => text);
    expect(texts).to.deep.equal(['Where is my order?', 'Hello?', 'The conversation has ended', 'Still there?']);
  });

  it('ends the wait with the first word of a human to the visitor, not with one between teammates', async () => {
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

  it('of its lead ends the pending state', async () => {
    const { post, agent, guest, request_id, project, read, told } = await aConversation();
    await Request.updateOne({ id_project: project.id, request_id }, { workingStatus: 'pending' });
    await post(agent, { text: 'We wait for the courier' });
    expect(await read()).to.include({ workingStatus: 'pending' });
    await told();
    await post(guest, { text: 'It came' });
    expect(await read()).to.include({ workingStatus: 'open' });
    expect(await told()).to.deep.equal(['request.workingStatus.update', 'request.update', 'message.create']);
  });

  it('costs three commands: the change of its conversation, its own insert, the commit of both', async () => {
    const { post, guest } = await aConversation();
    await stopRelaying();
    await post(guest, { text: 'Warm' });
    const commands = await commandsDuring(() => post(guest, { text: 'Counted' }));
    const names = commands.map((command) => Object.keys(command as object)[0]);
    expect(names).to.deep.equal(['findAndModify', 'insert', 'commitTransaction']);
  });
});

describe('A message that is sent again', () => {
  const TIMES = 10;

  it('is one message under its client_message_id, with equal answers', async () => {
    const { post, guest, project, request_id } = await aConversation();
    const send = () => post(guest, { text: 'Once', client_message_id: 'mine-1' });
    const answers = await Promise.all(Array.from({ length: TIMES }, send));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project: project.id, recipient: request_id, text: 'Once' })).to.equal(1);
  });

  it('is one message under its Idempotency-Key, also when it is the first', async () => {
    const { project, guest } = await aProject();
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const send = () => api(guest).post(path, { text: 'Once' }, { 'idempotency-key': 'k1' });
    const answers = await Promise.all(Array.from({ length: TIMES }, send));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project: project.id })).to.equal(1);
    expect(await Request.countDocuments({ id_project: project.id })).to.equal(1);
  });

  it('is another message in another conversation', async () => {
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
