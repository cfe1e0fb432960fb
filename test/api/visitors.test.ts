/** What a visitor sees: its own conversations and nothing else of the project (decision 57). */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aVisitor } from '../support/people.ts';

const SECRET = 'between us';
const OF_THE_TEAM = [
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

/** A conversation in which teammates have had a word that is not the visitor's. */
const aWatchedConversation = async () => {
  const conversation = await aConversation();
  const { post, agent, one, owner } = conversation;
  await api(owner).put(`${one}/participants`, [agent.id]);
  await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
  await post(agent, { text: 'Good day' });
  await post(agent, { text: SECRET, attributes: { subtype: 'private' } });
  return conversation;
};

describe('A visitor', () => {
  it('reads its own conversation without private messages and the e-mails of the team', async () => {
    const { guest, agent, messages, root, one, post } = await aWatchedConversation();
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
      .and.not.have.any.keys(...OF_THE_TEAM);
    expect(body.requests[0].participatingAgents).to.deep.equal([{ _id: agent.id, firstname: 'Ann', lastname: 'Lee' }]);
    const [bare] = (await api(guest).get(`${root}/me?no_populate=true`)).body.requests;
    expect(bare.lead).to.equal(body.requests[0].lead._id);
    expect(bare).to.not.have.any.keys(...OF_THE_TEAM);
    const posted = await post(guest, { text: 'Thanks' });
    for (const seen of [text, posted.text]) expect(seen).to.not.include(SECRET).and.not.include(agent.email);
    const hidden = (await messages()).find((message: { text: string }) => message.text === SECRET);
    expect((await api(guest).get(`${one}/messages/${hidden._id}`)).status).to.equal(404);
    expect((await api(agent).get(`${one}/messages/${hidden._id}`)).body).to.include({ text: SECRET });
  });

  it('hears of its conversation what it may see, of private messages nothing', async () => {
    const { project, guest, agent } = await aWatchedConversation();
    const log = await changes(project.id);
    const heard = log.filter(({ visitor_payload }) => visitor_payload !== undefined);
    expect(new Set(heard.map(({ visitor }) => visitor))).to.deep.equal(new Set([guest.id]));
    const seen = JSON.stringify(heard.map(({ visitor_payload }) => visitor_payload));
    expect(seen).to.include('Good day').and.not.include(SECRET).and.not.include(agent.email);
    const told = (all: typeof log) => all.filter(({ event }) => event === 'message.create');
    expect([told(log).length, told(heard).length]).to.deep.equal([5, 3]);
  });

  it('neither reads nor joins the conversation of another, and speaks for itself alone', async () => {
    const { project, guest, agent, one, root, messages, post } = await aWatchedConversation();
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
