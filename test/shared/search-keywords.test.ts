/** Every kind of write that stores a searchable text also stores its keywords. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { insertMissingRecords, insertRecord } from '#shared/database/raw-write.ts';
import { Lead } from '#shared/models/lead.ts';

const id_project = newId();
const aLead = (fullname: string) => ({ _id: newId(), id_project, lead_id: randomUUID(), fullname, createdBy: 'x' });

const WAYS_TO_WRITE: Record<string, () => Promise<unknown>> = {
  create: () => Lead.create([aLead('Ann Lee')]),
  insertMany: () => Lead.insertMany([aLead('Ann Lee')]),
  'bulkWrite of an insert': () => Lead.bulkWrite([{ insertOne: { document: aLead('Ann Lee') } }]),
  'insertRecord, without mongoose': () => inTransaction((session) => insertRecord(Lead, aLead('Ann Lee'), { session })),
  'insertMissingRecords, without mongoose': () => insertMissingRecords(Lead, [aLead('Ann Lee')], {}),
  updateOne: () => Lead.updateOne({ id_project }, { $set: { fullname: 'Ann Lee' } }),
  'updateOne without $set': () => Lead.updateOne({ id_project }, { fullname: 'Ann Lee' }),
  updateMany: () => Lead.updateMany({ id_project }, { $set: { fullname: 'Ann Lee' } }),
  findOneAndUpdate: () => Lead.findOneAndUpdate({ id_project }, { $set: { fullname: 'Ann Lee', email: 'a@x.org' } }),
  'bulkWrite of an update': () =>
    Lead.bulkWrite([{ updateOne: { filter: { id_project }, update: { $set: { fullname: 'Ann Lee' } } } }]),
  save: async () => {
    const lead = await Lead.findOne({ id_project }).orFail();
    lead.set('fullname', 'Ann Lee');
    await lead.save();
  },
};

describe('Search keywords', () => {
  for (const [way, write] of Object.entries(WAYS_TO_WRITE))
    it(`a write of a searchable text stores its keywords: ${way}`, async () => {
      await Lead.deleteMany({ id_project });
      if (/update|change|save/i.test(way)) await Lead.create([aLead('Bob')]);
      await write();
      const lead = await Lead.findOne({ id_project }).select('+fullname_keywords').lean();
      expect([lead?.fullname, lead?.fullname_keywords]).to.deep.equal(['Ann Lee', ['ann', 'lee']]);
    });
});
