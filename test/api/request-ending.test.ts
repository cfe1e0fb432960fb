/** How a conversation ends: closed by its visitor, with a transcript, in its language; removed for good. */
import { expect } from 'chai';
import { BANNED } from '#shared/labels/banned.ts';
import { shipped } from '#shared/labels/labels.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aVisitor } from '../support/people.ts';

const SECRET = 'he is a friend of the boss';

describe('A closed conversation', () => {
  it('is read with its transcript: one line for each message, its time, who said it and what', async () => {
    const { owner, agent, one, post, read } = await aConversation({ text: 'Where is\nmy order?' });
    expect(await read()).to.not.have.property('transcript');
    await post(agent, { text: 'On its way', senderFullname: 'Ann' });
    const { body } = await api(owner).put(`${one}/close`, {});
    const lines = body.transcript.split('\n');
    expect(lines).to.have.length(3);
    expect(lines[0]).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z .+: Where is my order\?$/);
    expect(lines[1]).to.match(/Z Ann: On its way$/);
    expect(lines[2]).to.match(/Z Bot: The conversation has ended$/);
    expect(await read()).to.deep.equal(body);
    expect(await Request.findOne({ id_project: body.id_project }).lean()).to.not.have.property('transcript');
  });

  it('has at most the newest thousand messages in it', async () => {
    const { owner, one, project, request_id } = await aConversation();
    const said = { id_project: project.id, recipient: request_id, sender: 'x', createdBy: 'x' };
    await Message.insertMany(Array.from({ length: 1000 }, (_, at) => ({ ...said, text: `word ${at}` })));
    const lines = (await api(owner).put(`${one}/close`, {})).body.transcript.split('\n');
    expect(lines).to.have.length(1001);
    expect(lines[0]).to.equal('(Earlier messages are left out.)');
    expect(lines[1]).to.match(/word 1$/);
  });
});

describe('Closing by the visitor', () => {
  it('does what closing does, and tells it nothing that is private', async () => {
    const { guest, agent, one, post, told, messages } = await aConversation();
    await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
    await told();
    const closed = await api(guest).put(`${one}/closeg`, {});
    expect(closed.body).to.include({ status: 1000, closed_by: guest.id }).and.not.have.property('notes');
    expect(closed.body.transcript).to.include('Where is my order?');
    expect(closed.text).to.not.include(SECRET);
    const closing = ['request.update', 'request.updated', 'request.close', 'request.close.extended'];
    expect(await told()).to.deep.equal([...closing, 'message.create']);
    expect((await messages(guest)).at(-1).attributes.messagelabel).to.deep.equal({ key: 'CHAT_CLOSED' });
    const { transcript: _, ...rest } = closed.body;
    expect((await api(guest).put(`${one}/closeg`, {})).body).to.deep.equal(rest);
    expect(await told()).to.deep.equal([]);
  });

  it('is for its own visitor: to another one, or a teammate, the conversation is not there', async () => {
    const { owner, one, project, read } = await aConversation();
    const stranger = await aVisitor(project.id);
    for (const who of [stranger, owner]) expect((await api(who).put(`${one}/closeg`, {})).status).to.equal(404);
    expect((await read()).status).to.equal(200);
  });
});

describe('What the system says', () => {
  const said = async (language: string) => {
    const { owner, one, messages } = await aConversation({ text: 'Hi', language });
    await api(owner).put(`${one}/close`, {});
    return (await messages()).at(-1);
  };

  it('is said in the language of the conversation, in English where that is not known', async () => {
    expect(await said('it')).to.include({ text: 'La conversazione è terminata', language: 'it' });
    expect((await said('de-AT')).text).to.equal('Das Gespräch ist beendet');
    expect((await said('tlh')).text).to.equal('The conversation has ended');
  });

  it('has words in every language that comes with the service', () => {
    expect(Object.keys(BANNED)).to.have.members(shipped.map(({ lang }) => lang));
  });

  it('is said to a visitor who is banned, as a direct message, once', async () => {
    const { owner, guest, project } = await aConversation({ text: 'Hi', language: 'fr' });
    const ban = () => api(owner).post(`/v3/projects/${project.id}/ban`, { id: guest.id });
    await ban();
    await ban();
    const direct = await Message.find({ id_project: project.id, recipient: guest.id }).lean();
    expect(direct).to.have.length(1);
    expect(direct[0]).to.deep.include({
      ...{ sender: 'system', senderFullname: 'Bot', channel_type: 'direct', status: 0 },
      text: 'Vous ne pouvez plus nous écrire ici',
      attributes: { subtype: 'info', messagelabel: { key: 'USER_BANNED' } },
    });
  });
});

describe('Removing a conversation', () => {
  const remains = async (id_project: string) => [
    await Request.countDocuments({ id_project }),
    await Message.countDocuments({ id_project }),
  ];

  it('takes its messages with it, frees its teammate, and is told of as it was', async () => {
    const { owner, one, root, project, read, guest } = await aConversation();
    await api(guest).post(`${root}/another/messages`, { text: 'Stays' });
    const before = await read();
    const { body } = await api(owner).delete(one);
    expect(body).to.deep.equal(before);
    expect(await remains(project.id)).to.deep.equal([1, 1]);
    const holder = { id_project: project.id, id_user: before.participants[0] };
    expect((await ProjectUser.findOne(holder).lean())?.claims?.map(({ request }) => request)).to.not.include(body._id);
    const last = (await changes(project.id)).at(-1);
    expect(last).to.include({ event: 'request.delete', record: body._id });
    expect(last?.payload).to.include({ request_id: body.request_id });
    expect((await api(owner).delete(one)).status).to.equal(404);
  });

  it('by its _id leaves what was said', async () => {
    const { owner, root, project, read } = await aConversation();
    const { _id } = await read();
    expect((await api(owner).delete(`${root}/id/${_id}`)).body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect(await remains(project.id)).to.deep.equal([0, 1]);
    for (const gone of [_id, 'none']) expect((await api(owner).delete(`${root}/id/${gone}`)).status).to.equal(404);
  });

  it('is never done to that of another project', async () => {
    const { one, read, project } = await aConversation();
    const { _id } = await read();
    const other = await aProject();
    const there = one.replace(project.id, other.project.id);
    expect((await api(other.owner).delete(there)).status).to.equal(404);
    expect((await api(other.owner).delete(`/v3/${other.project.id}/requests/id/${_id}`)).status).to.equal(404);
    expect(await remains(project.id)).to.deep.equal([1, 1]);
  });
});
