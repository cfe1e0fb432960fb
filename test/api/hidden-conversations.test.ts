/** Conversations that are hidden until their visitor really writes (contract b 2.5). */
import { expect } from 'chai';
import { aConversation } from '../support/conversations.ts';

describe('The first real words on a hidden conversation', () => {
  const hidden = { text: 'welcome', preflight: true, request_status: 50 };

  it('bring it into sight and route it', async () => {
    const world = await aConversation(hidden);
    expect(world.posted.body.request).to.deep.include({ status: 50, preflight: true, participants: [] });
    await world.told();
    await world.post(world.guest, { text: 'Where is my order?' });
    expect(await world.read()).to.deep.include({ status: 200, preflight: false, first_text: 'Where is my order?' });
    const told = await world.told();
    expect(told).to.include.members(['request.update.preflight', 'request.updated', 'request.assigned']);
  });

  it("are none where they repeat the hidden text, or are a teammate's", async () => {
    const world = await aConversation(hidden);
    await world.post(world.guest, { text: 'welcome' });
    await world.post(world.owner, { text: 'Can I help?' });
    expect(await world.read()).to.deep.include({ status: 50, preflight: true, first_text: 'welcome' });
  });

  it('leave the bot in it that has it', async () => {
    const world = await aConversation({ text: 'welcome', preflight: true, participants: ['bot_1'] });
    await world.post(world.guest, { type: 'image', metadata: { src: 'https://example.com/a.png' } });
    expect(await world.read()).to.deep.include({
      status: 200,
      preflight: false,
      first_text: 'Image',
      participants: ['bot_1'],
    });
  });
});
