/** Commands in messages, `\close` and `\agent`, whose posts are repeated. */
import { expect } from 'chai';
import { aBot } from '../support/bots.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';

describe('Repeated messages with a command', () => {
  const aConversationWithBot = async () => {
    const fixture = await aConversation();
    const bot = await aBot(fixture.project.id);
    const addBot = async () => {
      const { body } = await api(fixture.owner).put(`${fixture.one}/replace`, { id: bot.id });
      expect(body.participantsBots).to.deep.equal([bot.id]);
    };
    await addBot();
    return { ...fixture, bot, addBot, bots: async () => (await fixture.read()).participantsBots };
  };

  it('a repeated \\agent does not hand the conversation over again, even if a bot participates again by then', async () => {
    const { post, bot, addBot, bots, newEvents } = await aConversationWithBot();
    await newEvents();
    const send = () => post(bot, { text: '\\agent', client_message_id: 'handover' });
    const replies = await Promise.all([send(), send(), send()]);
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(await bots()).to.deep.equal([]);
    expect((await newEvents()).filter((event) => event === 'request.participants.update')).to.have.length(1);
    await addBot();
    expect((await send()).status).to.equal(200);
    expect(await bots()).to.deep.equal([bot.id]);
    await post(bot, { text: '\\agent', client_message_id: 'second handover' });
    expect(await bots()).to.deep.equal([]);
  });

  it('a repeated \\close does not close a conversation that was reopened since', async () => {
    const { post, guest, owner, one, read } = await aConversation();
    const send = () => post(guest, { text: '\\close', client_message_id: 'end' });
    await send();
    expect((await read()).status).to.equal(1000);
    await api(owner).put(`${one}/reopen`, {});
    await send();
    expect((await read()).status).to.be.lessThan(1000);
  });
});
