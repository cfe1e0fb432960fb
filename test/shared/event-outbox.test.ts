/** The events of a write are in the hidden `_events` field of the record; the relay reads them from the oplog. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Schema } from 'mongoose';
import { collection, schemaOptions } from '#shared/database/collection.ts';
import type { Emission } from '#shared/database/plugins/event-outbox.ts';

const schema = Schema.create({ id_project: { type: String, required: true }, name: String, n: Number }, schemaOptions);
const TestRecord = collection('test_records', schema);
const TEST_PROJECT = randomUUID();
const emitOptions: { emits: Emission[] } = { emits: [['record.changed', { by: 'Ann' }]] };

const eventsOf = async (filter: object): Promise<string[]> => {
  const records = await TestRecord.find({ id_project: TEST_PROJECT, ...filter })
    .select('+_events')
    .lean();
  return records.map((record) => (record as unknown as { _events: string })._events);
};
const aTestRecord = () => new TestRecord({ id_project: TEST_PROJECT, name: 'x' }).save();

describe('Event outbox', () => {
  const expectEmitted = async (filter: object, times = 1) => {
    const texts = await eventsOf(filter);
    expect(texts, JSON.stringify(filter)).to.have.length(times);
    expect(texts, JSON.stringify(filter)).not.to.include(undefined);
    for (const text of texts) {
      const [ulid, project, ...emissions] = JSON.parse(text);
      expect(ulid).to.match(/^[0-9A-Z]{26}$/);
      expect(project).to.equal(TEST_PROJECT);
      expect(emissions).to.deep.equal(emitOptions.emits);
    }
    return texts;
  };

  it('every kind of update stores its events in the record', async () => {
    const { _id } = await aTestRecord();
    const own = { _id: String(_id), id_project: TEST_PROJECT };
    const texts = new Set(await eventsOf({ _id }));
    const step = async (write: () => Promise<unknown>) => {
      await write();
      const [text = ''] = await expectEmitted({ _id });
      expect(texts.has(text), 'each write stores a new string').to.equal(false);
      texts.add(text);
    };
    await step(() => TestRecord.updateOne(own, { $set: { n: 1 } }, emitOptions));
    await step(() => TestRecord.updateOne(own, { n: 2 }, emitOptions));
    await step(() => TestRecord.updateMany(own, { $inc: { n: 1 } }, emitOptions));
    await step(() => TestRecord.findOneAndUpdate(own, [{ $set: { n: 9 } }], { ...emitOptions, updatePipeline: true }));
    await step(() => TestRecord.bulkWrite([{ updateOne: { filter: own, update: { $set: { n: 4 } } } }], emitOptions));
    await step(async () => {
      const record = await TestRecord.findOne(own);
      record?.set('n', 5);
      await record?.save(emitOptions);
    });
    const stored = await TestRecord.findOne(own).lean();
    expect(stored).to.include({ n: 5, __v: 6 }).and.not.have.property('_events');
  });

  it('every kind of insert stores its events in the record', async () => {
    const [created] = await TestRecord.create([{ id_project: TEST_PROJECT, name: 'created' }], emitOptions);
    expect(created?.toObject()).not.to.have.property('_events');
    await TestRecord.bulkWrite([{ insertOne: { document: { id_project: TEST_PROJECT, name: 'bulk' } } }], emitOptions);
    await TestRecord.updateOne(
      { id_project: TEST_PROJECT, name: 'upserted' },
      { $set: { n: 1 } },
      { ...emitOptions, upsert: true },
    );
    for (const name of ['created', 'bulk', 'upserted']) await expectEmitted({ name });
  });

  it('an update without the `emits` option stores no events', async () => {
    const { _id } = await aTestRecord();
    await TestRecord.updateOne({ _id, id_project: TEST_PROJECT }, { n: 2 });
    expect(await eventsOf({ _id })).to.deep.equal([undefined]);
  });
});
