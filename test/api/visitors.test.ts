/** A visitor sees their own conversations and nothing else of the project. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { aVisitor } from '../support/people.ts';

const SECRET = 'between us';
const TEAM_FIELDS = [
  'notes',
  'tags',
  'followers',
  'agents',
  'snapshot',
  'attributes',
  'requester',
  'workingStatus',
  'priority',
];

/** A conversation with private messages between teammates. */
const aConversationWithNotes = async () => {
  const conversation = await aConversation();
  const { post, agent, one, owner } = conversation;
  await api(owner).put(`${one}/participants`, [agent.id]);
  await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
  await post(agent, { text: 'Good day' });
  await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
  return conversation;
};

describe('Access of visitors', () => {
  it('a visitor reads their own conversation without private messages or email addresses of teammates', async () => {
    const { guest, agent, messages, root, one, post } = await aConversationWithNotes();
    const own = await messages(guest);
    const texts = own.map(({ text }: { text: string }) => text);
    expect(texts).to.deep.equal([
      'Where is my order?',
      'A new conversation is waiting for you: Where is my order?',
      'Good day',
    ]);
    const { body, text } = await api(guest).get(`${root}/me`);
    expect(body).to.deep.include({ count: 1, perPage: 40 });
    expect(body.requests[0])
      .to.include({ first_text: 'Where is my order?' })
      .and.not.have.any.keys(...TEAM_FIELDS);
    expect(body.requests[0].participatingAgents).to.deep.equal([{ _id: agent.id, firstname: 'Ann', lastname: 'Lee' }]);
    const [bare] = (await api(guest).get(`${root}/me?no_populate=true`)).body.requests;
    expect(bare.lead).to.equal(body.requests[0].lead._id);
    expect(bare).to.not.have.any.keys(...TEAM_FIELDS);
    const posted = await post(guest, { text: 'Thanks' });
    for (const seen of [text, posted.text]) expect(seen).to.not.include(SECRET).and.not.include(agent.email);
    const hidden = (await messages()).find((message: { text: string }) => message.text === SECRET);
    expect((await api(guest).get(`${one}/messages/${hidden._id}`)).status).to.equal(404);
    expect((await api(agent).get(`${one}/messages/${hidden._id}`)).body).to.include({ text: SECRET });
  });

  it('the events that a visitor receives exclude private messages', async () => {
    const { project, guest, agent } = await aConversationWithNotes();
    const log = await relayedChanges(project.id);
    const visitorLog = log.filter(({ visitor_payload }) => visitor_payload !== undefined);
    expect(new Set(visitorLog.map(({ visitor }) => visitor))).to.deep.equal(new Set([guest.id]));
    const seen = JSON.stringify(visitorLog.map(({ visitor_payload }) => visitor_payload));
    expect(seen).to.include('Good day').and.not.include(SECRET).and.not.include(agent.email);
    const messageEvents = (all: typeof log) => all.filter(({ event }) => event === 'message.create');
    expect([messageEvents(log).length, messageEvents(visitorLog).length]).to.deep.equal([5, 3]);
  });

  it("a visitor can neither read nor join another visitor's conversation, nor send as another sender", async () => {
    const { project, guest, agent, one, root, messages, post } = await aConversationWithNotes();
    const other = await aVisitor(project.id);
    expect(await messages(other)).to.deep.equal([]);
    const [first] = await messages(guest);
    expect((await api(other).get(`${one}/messages/${first._id}`)).status).to.equal(404);
    expect((await api(other).get(`${root}/me`)).body).to.deep.include({ count: 0, requests: [] });
    expect((await post(other, { text: 'Me too' })).status).to.equal(403);
    expect((await post(guest, { text: 'I am Ann', sender: agent.id })).status).to.equal(403);
    expect(await messages(guest)).to.have.length(3);
  });
});
