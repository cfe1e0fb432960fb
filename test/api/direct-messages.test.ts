/** Direct messages outside conversations, messages to groups, and the list of a project's messages. */
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject, aVisitor } from '../support/people.ts';

const directMessage = (recipient: string, more: object = {}) => ({
  recipient,
  recipientFullname: 'Somebody',
  text: 'Psst',
  ...more,
});

/** A project with a conversation. `receivedTexts` returns the texts of the messages in a caller's changes. */
const aDirectMessageFixture = async () => {
  const fixture = await aConversation();
  const root = `/v3/${fixture.project.id}`;
  const write = (body: object, caller: Caller = fixture.agent, headers = {}) =>
    api(caller).post(`${root}/messages`, body, headers);
  const receivedTexts = async (caller: Caller): Promise<string[]> => {
    await fixture.newEvents();
    const { body } = await api(caller).get(`${root}/changes?after=0`);
    const created = body.changes.filter(({ event }: { event: string }) => event === 'message.create');
    return created.map(({ payload }: { payload: { text: string } }) => payload.text);
  };
  return { ...fixture, root, write, receivedTexts };
};

describe('Direct messages', () => {
  it('a direct message is accepted for a teammate, visitor or bot of the same project only', async () => {
    const { write, owner, guest, project, agent } = await aDirectMessageFixture();
    const bot = await aBot(project.id);
    const sent = await write(directMessage(owner.id));
    expect(sent.status).to.equal(200);
    expect(sent.body).to.include({
      recipient: owner.id,
      recipientFullname: 'Somebody',
      channel_type: 'direct',
      status: 0,
    });
    expect(sent.body).to.include({ sender: agent.id, text: 'Psst' }).and.not.have.property('request');
    for (const id of [guest.id, `bot_${bot.id}`]) expect((await write(directMessage(id), bot)).status).to.equal(200);
    const otherProject = await aProject();
    const theirBot = await aBot(otherProject.project.id);
    for (const id of [otherProject.owner.id, otherProject.guest.id, `bot_${theirBot.id}`, 'nobody', 'bot_x']) {
      const { status, body } = await write(directMessage(id));
      expect(status).to.equal(422);
      expect(body.errors[0]).to.include({ path: 'recipient' });
    }
  });

  it('the event of a direct message is visible to its recipient, not to other visitors', async () => {
    const { write, guest, project, receivedTexts } = await aDirectMessageFixture();
    const other = await aVisitor(project.id);
    await write(directMessage(guest.id));
    await write(directMessage(guest.id, { text: 'Not for the visitor', attributes: { subtype: 'private' } }));
    expect(await receivedTexts(guest)).to.deep.equal(['Where is my order?', 'Psst']);
    expect(await receivedTexts(other)).to.deep.equal([]);
  });

  it("a direct message is not part of a conversation whose request_id equals the recipient's id", async () => {
    const { write, guest, project, root, receivedTexts, owner } = await aDirectMessageFixture();
    const other = await aVisitor(project.id);
    await api(other).post(`${root}/requests/${guest.id}/messages`, { text: 'Mine' });
    const { body } = await write(directMessage(guest.id));
    const path = `${root}/requests/${guest.id}/messages`;
    for (const caller of [other, owner]) expect((await api(caller).get(path)).body).to.have.length(1);
    expect((await api(other).get(`${path}/${body._id}`)).status).to.equal(404);
    expect(await receivedTexts(other)).to.deep.equal(['Mine']);
  });

  it('a direct message requires `recipient`, `recipientFullname` and, unless it is an image, `text`; its label placeholders are replaced, and templates are rejected', async () => {
    const { write, owner } = await aDirectMessageFixture();
    const pathOf = async (body: object) => {
      const answer = await write(body);
      expect(answer.status).to.equal(422);
      return answer.body.errors[0].path;
    };
    expect(await pathOf({ recipientFullname: 'A', text: 'x' })).to.equal('recipient');
    expect(await pathOf({ recipient: owner.id, text: 'x' })).to.equal('recipientFullname');
    expect(await pathOf(directMessage(owner.id, { text: undefined }))).to.equal('text');
    expect(await pathOf(directMessage(owner.id, { attributes: { templateProcessor: true } }))).to.equal(
      'attributes.templateProcessor',
    );
    const image = { type: 'image', metadata: { src: 'https://x.example/a.png' } };
    expect((await write(directMessage(owner.id, { text: undefined, ...image }))).status).to.equal(200);
    expect((await write(directMessage(owner.id, { text: '${CLOSE}' }))).body).to.include({ text: 'Close' });
  });

  it('a direct message that is sent repeatedly with the same Idempotency-Key is stored once', async () => {
    const { write, owner, root } = await aDirectMessageFixture();
    const answers = await Promise.all(
      times(5, () => write(directMessage(owner.id), undefined, { 'idempotency-key': 'k' })),
    );
    expect(new Set(answers.map(({ text }) => text))).to.have.length(1);
    expect((await api(owner).get(`${root}/messages`)).body).to.have.length(2);
  });
});

describe('Group messages', () => {
  it('a group message is added to the conversation whose request_id is its recipient, and is refused if there is no such conversation', async () => {
    const { write, request_id, messages, read } = await aDirectMessageFixture();
    const { body } = await write(directMessage(request_id, { channel_type: 'group' }));
    expect(body).to.include({ channel_type: 'group', recipient: request_id });
    expect((await messages()).at(-1)).to.include({ _id: body._id });
    expect((await read()).attributes.last_message).to.include({ _id: body._id });
    expect((await write(directMessage('none', { channel_type: 'group' }))).body.errors[0]).to.include({
      path: 'recipient',
    });
  });
});

describe('Messages of a project', () => {
  it('the owner lists the messages of a project in pages, newest first, with their conversations if populate_request is set', async () => {
    const { write, owner, root, post, agent, request_id } = await aDirectMessageFixture();
    await write(directMessage(owner.id, { text: 'direct' }));
    for (const index of times(12, Number)) await post(agent, { text: `${index}` });
    const list = async (query = '') => (await api(owner).get(`${root}/messages${query}`)).body;
    const texts = async (query?: string) => (await list(query)).map(({ text }: { text: string }) => text);
    expect(await texts()).to.deep.equal(times(10, (index) => `${11 - index}`));
    expect(await texts('?limit=51')).to.have.length(10);
    expect(await texts('?limit=5&page=2')).to.deep.equal(['1', '0', 'direct', 'Where is my order?']);
    const [, , direct, first] = await list('?limit=5&page=2&populate_request=true');
    expect(first.request).to.include({ request_id });
    expect(direct).to.not.have.property('request');
  });
});
