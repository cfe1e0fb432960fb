/** Message events contain a limited part of the conversation. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';

const LARGE_TEXT = 'x'.repeat(40_000);

describe('Message events', () => {
  it('message.create contains its conversation without notes and with at most 16 KB of attributes, and lists omitted attributes in `_left_out`', async () => {
    const { owner, guest, one, post, read, project } = await aConversation();
    await api(owner).post(`${one}/notes`, { text: 'A note' });
    await api(owner).patch(`${one}/attributes`, { large: LARGE_TEXT, small: 1 });
    await post(guest, { text: 'Hello?' });
    const log = await relayedChanges(project.id);
    const last = log.findLast(({ event }) => event === 'message.create');
    const { request } = (last?.payload ?? {}) as { request: { attributes: Record<string, unknown> } };
    expect(request).to.not.have.property('notes');
    expect(request.attributes).to.deep.include({ small: 1, _left_out: ['large'] });
    expect(request.attributes.last_message).to.include({ text: 'Hello?' });
    expect(JSON.stringify(last).length).to.be.lessThan(20_000);
    const conversation = await read();
    expect(conversation.attributes).to.include({ large: LARGE_TEXT, small: 1 }).and.not.have.property('_left_out');
    expect(conversation.notes).to.have.length(1);
  });

  it("`last_message` of a conversation contains at most 16 KB each of the message's attributes and metadata", async () => {
    const { agent, post, read, messages } = await aConversation();
    const large = { large: LARGE_TEXT, small: 1 };
    const { body } = await post(agent, { text: 'Look', attributes: large, metadata: large });
    expect(body).to.deep.include({ attributes: large, metadata: large });
    const { last_message } = (await read()).attributes;
    const shortened = { small: 1, _left_out: ['large'] };
    expect(last_message).to.deep.include({ text: 'Look', attributes: shortened, metadata: shortened });
    expect((await messages()).at(-1)).to.deep.include({ attributes: large, metadata: large });
  });
});
