/** The migration adds search keywords and counters to existing records. */
import { expect } from 'chai';
import * as counters from '#shared/domain/conversations/counters.ts';
import { countConversations, fillKeywords } from '#shared/migrations/fill-keywords.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { ConversationCounter } from '#shared/models/conversation-counter.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { aConversation } from '../support/conversations.ts';

type MigratedRecord = { __v: number; updatedAt: Date };

describe('Migration to search keywords and counters', () => {
  it('the migration adds the keywords and counters that new records have, and changes nothing else', async () => {
    const { project } = await aConversation({ text: 'Où est ma commande?', senderFullname: 'Zoé', email: 'zoe@x.org' });
    const own = { id_project: project.id };
    const hidden = '+keywords';
    const read = async () => [
      await Conversation.findOne(own).select(hidden).lean(),
      await Message.findOne(own).select(hidden).lean(),
      await Lead.findOne(own).select('+fullname_keywords +email_keywords').lean(),
      await counters.count(own),
    ];
    const fresh = await read();
    expect((fresh[0] as { keywords?: string[] }).keywords).to.include.members(['ou', 'commande', 'zoe', 'zoe@x.org']);
    const unset = { $unset: { keywords: 1, fullname_keywords: 1, email_keywords: 1 }, $inc: { __v: 0 } };
    for (const model of [Conversation, Message, Lead] as unknown as (typeof Conversation)[])
      await model.updateOne(own, unset, { timestamps: false, strict: false });
    await ConversationCounter.deleteMany(own);
    for (const [index, record] of (await read()).entries()) expect(record).to.not.deep.equal(fresh[index]);
    for (const _ of ['once', 'again']) {
      await fillKeywords();
      await countConversations();
      expect(await read()).to.deep.equal(fresh);
    }
    expect(fresh.slice(0, 3).map((record) => (record as MigratedRecord).__v)).to.deep.equal([0, 0, 0]);
  });
});
