/**
 * Restrictions on a visitor's messages: the server sets the time, the sender's name cannot change, and the size is
 * limited.
 */
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const RESERVED_ATTRIBUTES = {
  clienttimestamp: JANUARY,
  subtype: 'info/support',
  messagelabel: { key: 'CHAT_CLOSED' },
  updateconversation: false,
  updateconversationfor: ['somebody'],
  forcenotification: true,
};

describe('Messages of a visitor', () => {
  it("a visitor's message has the server's time and no reserved attributes, whether posted or imported", async () => {
    const { guest, post, one, messages } = await aConversation();
    const since = Date.now() - 5000;
    const attributes = { ...RESERVED_ATTRIBUTES, action: 'help', projectId: 'x' };
    const posted = await post(guest, { text: 'posted', attributes });
    expect(posted.status).to.equal(200);
    expect(posted.body.attributes).to.deep.equal({ action: 'help', projectId: 'x' });
    const imported = await api(guest).post(`${one}/messages/multi`, [{ text: 'imported', attributes }]);
    expect(imported.body.attributes).to.deep.equal({ action: 'help', projectId: 'x' });
    const all = await messages();
    expect(all.map(({ text }: { text: string }) => text)).to.deep.equal(['Where is my order?', 'posted', 'imported']);
    for (const { createdAt } of all) expect(Date.parse(createdAt)).to.be.greaterThan(since);
  });

  it("a visitor's first message leaves no reserved attributes in the conversation", async () => {
    const { posted, read } = await aConversation({
      text: 'Hi',
      attributes: { ...RESERVED_ATTRIBUTES, client: 'Firefox' },
    });
    expect(posted.body.attributes).to.deep.equal({ client: 'Firefox' });
    expect(Object.keys((await read()).attributes)).to.have.members(['client', 'last_message']);
  });

  it("a visitor's messages have the name given with the first message", async () => {
    const { guest, agent, post, one, read } = await aConversation({ text: 'Hi', senderFullname: 'Mary' });
    expect((await post(guest, { text: 'It is me', senderFullname: 'Mary' })).body.senderFullname).to.equal('Mary');
    const refused = await post(guest, { text: 'You get 90% off', senderFullname: 'Support' });
    expect(refused.status).to.equal(200);
    expect(refused.body.senderFullname).to.equal('Mary');
    expect((await read()).attributes.last_message).to.include({ senderFullname: 'Mary', text: 'You get 90% off' });
    const imported = await api(guest).post(`${one}/messages/multi`, [{ text: 'x', senderFullname: 'Support' }]);
    expect(imported.body.senderFullname).to.equal('Mary');
    expect((await post(agent, { text: 'Hello', senderFullname: 'Support' })).body.senderFullname).to.equal('Support');
  });

  it('an imported message from a teammate keeps its time and reserved attributes', async () => {
    const { agent, one } = await aConversation();
    const attributes = { clienttimestamp: JANUARY, subtype: 'info' };
    const { body } = await api(agent).post(`${one}/messages/multi`, [{ text: 'old', attributes }]);
    expect(body).to.deep.include({ createdAt: new Date(JANUARY).toISOString(), attributes });
  });
});

describe('Message limits of a visitor', () => {
  it('a visitor can import at most 20 messages in one call of messages/multi', async () => {
    const { guest, agent, one } = await aConversation();
    const send = (caller: typeof guest, count: number) =>
      api(caller).post(
        `${one}/messages/multi`,
        times(count, (index) => ({ text: `${index}` })),
      );
    const refused = await send(guest, 21);
    expect(refused.status).to.equal(422);
    expect(refused.body.error).to.include('20');
    expect((await send(guest, 20)).status).to.equal(200);
    expect((await send(agent, 21)).status).to.equal(200);
  });

  it("a visitor's message may have at most 16 KB of attributes and metadata, on every endpoint", async () => {
    const { guest, agent, post, one, root } = await aConversation();
    const half = 'x'.repeat(8000);
    const small = { text: 'x', attributes: { half }, metadata: { half } };
    const large = { text: 'x', attributes: { half }, metadata: { half: `${half}${half}` } };
    const first = await api(guest).post(`${root}/another/messages`, large);
    const single = await post(guest, large);
    const imported = await api(guest).post(`${one}/messages/multi`, [small, large]);
    for (const { status } of [first, single, imported]) expect(status).to.equal(422);
    expect(single.body.errors[0]).to.include({ path: 'attributes' });
    expect(imported.body.errors[0]).to.include({ path: '1.attributes' });
    expect((await post(guest, small)).status).to.equal(200);
    expect((await post(agent, large)).status).to.equal(200);
  });

  it('a visitor can write 2 MB into a conversation (then 413), and teammates and other conversations are not limited', async () => {
    const { guest, agent, post, one, root, project, request_id } = await aConversation();
    const text = 'é'.repeat(30_000);
    const send = (caller: typeof guest, count = 20) =>
      api(caller).post(
        `${one}/messages/multi`,
        times(count, () => ({ text })),
      );
    expect((await send(agent, 40)).status).to.equal(200);
    const statuses: number[] = [];
    for (let index = 0; index < 2; index++) statuses.push((await send(guest)).status);
    expect(statuses).to.deep.equal([200, 413]);
    let last = await post(guest, { text });
    for (let index = 0; index < 20 && last.status === 200; index++) last = await post(guest, { text });
    expect(last.status).to.equal(413);
    expect(last.body.error).to.include('2000000').and.include('new conversation');
    const own = await Message.countDocuments({ id_project: project.id, recipient: request_id, sender: guest.id });
    expect(own).to.be.within(30, 34);
    expect((await post(agent, { text })).status).to.equal(200);
    expect((await send(agent, 1)).status).to.equal(200);
    expect((await post(guest, { text })).status).to.equal(413);
    expect((await api(guest).post(`${root}/another/messages`, { text })).status).to.equal(200);
    expect((await api(agent).get(one)).body).to.not.have.property('bytes');
  });

  it('the bytes of a message are counted once, even if its senderFullname is replaced', async () => {
    const { guest, post, project, request_id } = await aConversation({ text: 'Hi', senderFullname: 'Mary' });
    const bytesAfter = async (senderFullname: string): Promise<number> => {
      expect((await post(guest, { text: 'It is me', senderFullname })).body.senderFullname).to.equal('Mary');
      const { bytes } = await Conversation.findOne({ id_project: project.id, request_id }).select('+bytes').orFail();
      return bytes as number;
    };
    const [first, second, third] = [await bytesAfter('Mary'), await bytesAfter('Mary'), await bytesAfter('Support')];
    expect(third - second).to.equal(second - first);
  });
});
