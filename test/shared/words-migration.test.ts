/** Records of before the search are found by it, and counted. */
import { expect } from 'chai';
import * as tallies from '#shared/domain/conversations/tallies.ts';
import { countAll, fillWords } from '#shared/migrations/words.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { RequestTally } from '#shared/models/request-tally.ts';
import { aConversation } from '../support/conversations.ts';

type Known = { __v: number; updatedAt: Date };

describe('The migration to words and tallies', () => {
  it('gives every record what a new one has, and changes nothing else of it', async () => {
    const { project } = await aConversation({ text: 'Où est ma commande?', senderFullname: 'Zoé', email: 'zoe@x.org' });
    const own = { id_project: project.id };
    const hidden = '+words';
    const read = async () => [
      await Request.findOne(own).select(hidden).lean(),
      await Message.findOne(own).select(hidden).lean(),
      await Lead.findOne(own).select('+fullname_words +email_words').lean(),
      await tallies.count(own),
    ];
    const fresh = await read();
    expect((fresh[0] as { words?: string[] }).words).to.include.members(['ou', 'commande', 'zoe', 'zoe@x.org']);
    const unset = { $unset: { words: 1, fullname_words: 1, email_words: 1 }, $inc: { __v: 0 } };
    for (const model of [Request, Message, Lead] as unknown as (typeof Request)[])
      await model.updateOne(own, unset, { timestamps: false, strict: false });
    await RequestTally.deleteMany(own);
    for (const [at, record] of (await read()).entries()) expect(record).to.not.deep.equal(fresh[at]);
    for (const _ of ['once', 'again']) {
      await fillWords();
      await countAll();
      expect(await read()).to.deep.equal(fresh);
    }
    expect(fresh.slice(0, 3).map((record) => (record as Known).__v)).to.deep.equal([0, 0, 0]);
  });
});
