/** Messages of the team beside its conversations, and the list of all there are. */
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { times } from '../support/stage.ts';

const to = (recipient: string, more: object = {}) => ({
  recipient,
  recipientFullname: 'Somebody',
  text: 'Psst',
  ...more,
});

/** A project, a way to write in it, and what somebody was told of since. */
const aProjectToWriteIn = async () => {
  const world = await aConversation();
  const root = `/v3/${world.project.id}`;
  const write = (body: object, by: Caller = world.agent, headers = {}) =>
    api(by).post(`${root}/messages`, body, headers);
  const toldTo = async (by: Caller): Promise<string[]> => {
    await world.told();
    const { body } = await api(by).get(`${root}/changes?after=0`);
    const created = body.changes.filter(({ event }: { event: string }) => event === 'message.create');
    return created.map(({ payload }: { payload: { text: string } }) => payload.text);
  };
  return { ...world, root, write, toldTo };
};

describe('A direct message', () => {
  it('is written to a teammate, a visitor or a bot of the project, and to nobody else', async () => {
    const { write, owner, guest, project, agent } = await aProjectToWriteIn();
    const bot = await aBot(project.id);
    const sent = await write(to(owner.id));
    expect(sent.status).to.equal(200);
    expect(sent.body).to.include({
      recipient: owner.id,
      recipientFullname: 'Somebody',
      channel_type: 'direct',
      status: 0,
    });
    expect(sent.body).to.include({ sender: agent.id, text: 'Psst' }).and.not.have.property('request');
    for (const id of [guest.id, `bot_${bot.id}`]) expect((await write(to(id), bot)).status).to.equal(200);
    const elsewhere = await aProject();
    const theirBot = await aBot(elsewhere.project.id);
    for (const id of [elsewhere.owner.id, elsewhere.guest.id, `bot_${theirBot.id}`, 'nobody', 'bot_x']) {
      const { status, body } = await write(to(id));
      expect(status).to.equal(422);
      expect(body.errors[0]).to.include({ path: 'recipient' });
    }
  });

  it('is told to its recipient, and to no other visitor (decision 57)', async () => {
    const { write, guest, project, toldTo } = await aProjectToWriteIn();
    const other = await aVisitor(project.id);
    await write(to(guest.id));
    await write(to(guest.id, { text: 'Not for it', attributes: { subtype: 'private' } }));
    expect(await toldTo(guest)).to.deep.equal(['Where is my order?', 'Psst']);
    expect(await toldTo(other)).to.deep.equal([]);
  });

  it('is none of a conversation that has its recipient for a request_id: not to read, not by event', async () => {
    const { write, guest, project, root, toldTo, owner } = await aProjectToWriteIn();
    const other = await aVisitor(project.id);
    await api(other).post(`${root}/requests/${guest.id}/messages`, { text: 'Mine' });
    const { body } = await write(to(guest.id));
    const path = `${root}/requests/${guest.id}/messages`;
    for (const by of [other, owner]) expect((await api(by).get(path)).body).to.have.length(1);
    expect((await api(other).get(`${path}/${body._id}`)).status).to.equal(404);
    expect(await toldTo(other)).to.deep.equal(['Mine']);
  });

  it('needs a recipient, its name, and a text where it is one; knows labels, and no templates', async () => {
    const { write, owner } = await aProjectToWriteIn();
    const pathOf = async (body: object) => {
      const answer = await write(body);
      expect(answer.status).to.equal(422);
      return answer.body.errors[0].path;
    };
    expect(await pathOf({ recipientFullname: 'A', text: 'x' })).to.equal('recipient');
    expect(await pathOf({ recipient: owner.id, text: 'x' })).to.equal('recipientFullname');
    expect(await pathOf(to(owner.id, { text: undefined }))).to.equal('text');
    expect(await pathOf(to(owner.id, { attributes: { templateProcessor: true } }))).to.equal(
      'attributes.templateProcessor',
    );
    const image = { type: 'image', metadata: { src: 'https://x.example/a.png' } };
    expect((await write(to(owner.id, { text: undefined, ...image }))).status).to.equal(200);
    expect((await write(to(owner.id, { text: '${CLOSE}' }))).body).to.include({ text: 'Close' });
  });

  it('is one under its Idempotency-Key', async () => {
    const { write, owner, root } = await aProjectToWriteIn();
    const answers = await Promise.all(times(5, () => write(to(owner.id), undefined, { 'idempotency-key': 'k' })));
    expect(new Set(answers.map(({ text }) => text))).to.have.length(1);
    expect((await api(owner).get(`${root}/messages`)).body).to.have.length(2);
  });
});

describe('A message to a group', () => {
  it('is one of the conversation that is named; there must be one', async () => {
    const { write, request_id, messages, read } = await aProjectToWriteIn();
    const { body } = await write(to(request_id, { channel_type: 'group' }));
    expect(body).to.include({ channel_type: 'group', recipient: request_id });
    expect((await messages()).at(-1)).to.include({ _id: body._id });
    expect((await read()).attributes.last_message).to.include({ _id: body._id });
    expect((await write(to('none', { channel_type: 'group' }))).body.errors[0]).to.include({ path: 'recipient' });
  });
});

describe('The messages of a project', () => {
  it('are listed to its owner, the newest first, by pages, with their conversations where that is asked', async () => {
    const { write, owner, root, post, agent, request_id } = await aProjectToWriteIn();
    await write(to(owner.id, { text: 'direct' }));
    for (const at of times(12, Number)) await post(agent, { text: `${at}` });
    const list = async (query = '') => (await api(owner).get(`${root}/messages${query}`)).body;
    const texts = async (query?: string) => (await list(query)).map(({ text }: { text: string }) => text);
    expect(await texts()).to.deep.equal(times(10, (at) => `${11 - at}`));
    expect(await texts('?limit=51')).to.have.length(10);
    expect(await texts('?limit=5&page=2')).to.deep.equal(['1', '0', 'direct', 'Where is my order?']);
    const [, , direct, first] = await list('?limit=5&page=2&populate_request=true');
    expect(first.request).to.include({ request_id });
    expect(direct).to.not.have.property('request');
  });
});
