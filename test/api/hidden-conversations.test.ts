/** Conversations in preflight: a widget has opened them, and they are hidden until their visitor writes. */
import { expect } from 'chai';
import { aConversation } from '../support/conversations.ts';

describe('Preflight conversations', () => {
  const hidden = { text: 'welcome', preflight: true, request_status: 50 };

  it('a preflight conversation becomes visible and is routed when its visitor writes a text other than the one that opened it', async () => {
    const conversation = await aConversation(hidden);
    expect(conversation.posted.body.request).to.deep.include({ status: 50, preflight: true, participants: [] });
    await conversation.newEvents();
    await conversation.post(conversation.guest, { text: 'Where is my order?' });
    expect(await conversation.read()).to.deep.include({
      status: 200,
      preflight: false,
      first_text: 'Where is my order?',
    });
    const events = await conversation.newEvents();
    expect(events).to.include.members(['request.update.preflight', 'request.updated', 'request.assigned']);
  });

  it('a preflight conversation stays hidden if the visitor repeats the text that opened it or a teammate writes', async () => {
    const conversation = await aConversation(hidden);
    await conversation.post(conversation.guest, { text: 'welcome' });
    await conversation.post(conversation.owner, { text: 'Can I help?' });
    expect(await conversation.read()).to.deep.include({ status: 50, preflight: true, first_text: 'welcome' });
  });

  it('a preflight conversation with a bot keeps the bot when the conversation becomes visible', async () => {
    const conversation = await aConversation({ text: 'welcome', preflight: true, participants: ['bot_1'] });
    await conversation.post(conversation.guest, { type: 'image', metadata: { src: 'https://example.com/a.png' } });
    expect(await conversation.read()).to.deep.include({
      status: 200,
      preflight: false,
      first_text: 'Image',
      participants: ['bot_1'],
    });
  });
});
