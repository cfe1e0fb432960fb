/** The end of a conversation: closing by its visitor, transcript, system messages, permanent removal. */
import { expect } from 'chai';
import { BAN_MESSAGES } from '#shared/labels/ban-messages.ts';
import { builtInLabels } from '#shared/labels/built-in-labels.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aVisitor } from '../support/people.ts';

const SECRET = 'he is a friend of the boss';

describe('Transcript of a closed conversation', () => {
  it('the transcript of a closed conversation has one line per message with its time, sender and text', async () => {
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
    expect(await Conversation.findOne({ id_project: body.id_project }).lean()).to.not.have.property('transcript');
  });

  it('the transcript of a closed conversation contains at most the newest 1,000 messages', async () => {
    const { owner, one, project, request_id } = await aConversation();
    const fields = { id_project: project.id, recipient: request_id, sender: 'x', createdBy: 'x' };
    await Message.insertMany(Array.from({ length: 1000 }, (_, index) => ({ ...fields, text: `word ${index}` })));
    const lines = (await api(owner).put(`${one}/close`, {})).body.transcript.split('\n');
    expect(lines).to.have.length(1001);
    expect(lines[0]).to.equal('(Earlier messages are omitted.)');
    expect(lines[1]).to.match(/word 1$/);
  });
});

describe('Closing by the visitor', () => {
  it('PUT …/closeg closes the conversation of the visitor and returns nothing private', async () => {
    const { guest, agent, one, post, newEvents, messages } = await aConversation();
    await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
    await newEvents();
    const closed = await api(guest).put(`${one}/closeg`, {});
    expect(closed.body).to.include({ status: 1000, closed_by: guest.id }).and.not.have.property('notes');
    expect(closed.body.transcript).to.include('Where is my order?');
    expect(closed.text).to.not.include(SECRET);
    const closing = ['request.update', 'request.updated', 'request.close', 'request.close.extended'];
    expect(await newEvents()).to.deep.equal([...closing, 'message.create']);
    expect((await messages(guest)).at(-1).attributes.messagelabel).to.deep.equal({ key: 'CHAT_CLOSED' });
    const { transcript: _, ...rest } = closed.body;
    expect((await api(guest).put(`${one}/closeg`, {})).body).to.deep.equal(rest);
    expect(await newEvents()).to.deep.equal([]);
  });

  it('PUT …/closeg returns 404 to another visitor and to a teammate', async () => {
    const { owner, one, project, read } = await aConversation();
    const stranger = await aVisitor(project.id);
    for (const caller of [stranger, owner]) expect((await api(caller).put(`${one}/closeg`, {})).status).to.equal(404);
    expect((await read()).status).to.equal(200);
  });
});

describe('System messages', () => {
  const closingTexts = async (language: string) => {
    const { owner, one, messages } = await aConversation({ text: 'Hi', language });
    await api(owner).put(`${one}/close`, {});
    return (await messages()).at(-1);
  };

  it('a system message is in the language of the conversation, or in English if the language is unknown', async () => {
    expect(await closingTexts('it')).to.include({ text: 'La conversazione è terminata', language: 'it' });
    expect((await closingTexts('de-AT')).text).to.equal('Das Gespräch ist beendet');
    expect((await closingTexts('tlh')).text).to.equal('The conversation has ended');
  });

  it('the ban message exists in every built-in language', () => {
    expect(Object.keys(BAN_MESSAGES)).to.have.members(builtInLabels.map(({ lang }) => lang));
  });

  it('a banned visitor receives the ban message once, as a direct message', async () => {
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

describe('Conversation removal', () => {
  const countRemaining = async (id_project: string) => [
    await Conversation.countDocuments({ id_project }),
    await Message.countDocuments({ id_project }),
  ];

  it('removing a conversation deletes its messages, frees its agent and emits request.delete with the removed record', async () => {
    const { owner, one, root, project, read, guest } = await aConversation();
    await api(guest).post(`${root}/another/messages`, { text: 'Stays' });
    const before = await read();
    const { body } = await api(owner).delete(one);
    expect(body).to.deep.equal(before);
    expect(await countRemaining(project.id)).to.deep.equal([1, 1]);
    const holder = { id_project: project.id, id_user: before.participants[0] };
    expect((await ProjectUser.findOne(holder).lean())?.reservations?.map(({ request }) => request)).to.not.include(
      body._id,
    );
    const last = (await relayedChanges(project.id)).at(-1);
    expect(last).to.include({ event: 'request.delete', record: body._id });
    expect(last?.payload).to.include({ request_id: body.request_id });
    expect((await api(owner).delete(one)).status).to.equal(404);
  });

  it('DELETE …/requests/id/:id removes a conversation by its _id and, unlike DELETE …/requests/:request_id, keeps its messages', async () => {
    const { owner, root, project, read } = await aConversation();
    const { _id } = await read();
    expect((await api(owner).delete(`${root}/id/${_id}`)).body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect(await countRemaining(project.id)).to.deep.equal([0, 1]);
    for (const id of [_id, 'none']) expect((await api(owner).delete(`${root}/id/${id}`)).status).to.equal(404);
  });

  it('removing a conversation of another project returns 404 and deletes nothing', async () => {
    const { one, read, project } = await aConversation();
    const { _id } = await read();
    const other = await aProject();
    const foreignPath = one.replace(project.id, other.project.id);
    expect((await api(other.owner).delete(foreignPath)).status).to.equal(404);
    expect((await api(other.owner).delete(`/v3/${other.project.id}/requests/id/${_id}`)).status).to.equal(404);
    expect(await countRemaining(project.id)).to.deep.equal([1, 1]);
  });
});
