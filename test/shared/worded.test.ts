/** Whoever writes a text writes its words, in whatever way it is written. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { newId } from '#shared/context.ts';
import { Lead } from '#shared/models/lead.ts';
import { inTransaction } from '#shared/mongo.ts';
import { insert, insertMissing } from '#shared/write.ts';

const id_project = newId();
const aLead = (fullname: string) => ({ _id: newId(), id_project, lead_id: randomUUID(), fullname, createdBy: 'x' });

const WRITES: Record<string, () => Promise<unknown>> = {
  create: () => Lead.create([aLead('Ann Lee')]),
  insertMany: () => Lead.insertMany([aLead('Ann Lee')]),
  'bulkWrite, new': () => Lead.bulkWrite([{ insertOne: { document: aLead('Ann Lee') } }]),
  'insert past mongoose': () => inTransaction((session) => insert(Lead, aLead('Ann Lee'), { session })),
  'many past mongoose': () => insertMissing(Lead, [aLead('Ann Lee')], {}),
  updateOne: () => Lead.updateOne({ id_project }, { $set: { fullname: 'Ann Lee' } }),
  'updateOne without $set': () => Lead.updateOne({ id_project }, { fullname: 'Ann Lee' }),
  updateMany: () => Lead.updateMany({ id_project }, { $set: { fullname: 'Ann Lee' } }),
  findOneAndUpdate: () => Lead.findOneAndUpdate({ id_project }, { $set: { fullname: 'Ann Lee', email: 'a@x.org' } }),
  'bulkWrite, a change': () =>
    Lead.bulkWrite([{ updateOne: { filter: { id_project }, update: { $set: { fullname: 'Ann Lee' } } } }]),
  save: async () => {
    const lead = await Lead.findOne({ id_project }).orFail();
    lead.set('fullname', 'Ann Lee');
    await lead.save();
  },
};

describe('A text that is written', () => {
  for (const [way, write] of Object.entries(WRITES))
    it(`has its words beside it: ${way}`, async () => {
      await Lead.deleteMany({ id_project });
      if (/update|change|save/i.test(way)) await Lead.create([aLead('Bob')]);
      await write();
      const lead = await Lead.findOne({ id_project }).select('+fullname_words').lean();
      expect([lead?.fullname, lead?.fullname_words]).to.deep.equal(['Ann Lee', ['ann', 'lee']]);
    });
});
