/** What events of messages carry: a bounded part of the conversation. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';

const LARGE = 'x'.repeat(40_000);

describe('The event of a message', () => {
  it('carries its conversation without notes, and with at most 16 KB of attributes, marked where some are left out', async () => {
    const { owner, guest, one, post, read, project } = await aConversation();
    await api(owner).post(`${one}/notes`, { text: 'A note' });
    await api(owner).patch(`${one}/attributes`, { large: LARGE, small: 1 });
    await post(guest, { text: 'Hello?' });
    const log = await changes(project.id);
    const last = log.findLast(({ event }) => event === 'message.create');
    const { request } = (last?.payload ?? {}) as { request: { attributes: Record<string, unknown> } };
    expect(request).to.not.have.property('notes');
    expect(request.attributes).to.deep.include({ small: 1, _left_out: ['large'] });
    expect(request.attributes.last_message).to.include({ text: 'Hello?' });
    expect(JSON.stringify(last).length).to.be.lessThan(20_000);
    const whole = await read();
    expect(whole.attributes).to.include({ large: LARGE, small: 1 }).and.not.have.property('_left_out');
    expect(whole.notes).to.have.length(1);
  });

  it('is not repeated whole in its conversation: `last_message` has at most 16 KB of attributes and of metadata', async () => {
    const { agent, post, read, messages } = await aConversation();
    const large = { large: LARGE, small: 1 };
    const { body } = await post(agent, { text: 'Look', attributes: large, metadata: large });
    expect(body).to.deep.include({ attributes: large, metadata: large });
    const { last_message } = (await read()).attributes;
    const short = { small: 1, _left_out: ['large'] };
    expect(last_message).to.deep.include({ text: 'Look', attributes: short, metadata: short });
    expect((await messages()).at(-1)).to.deep.include({ attributes: large, metadata: large });
  });
});
