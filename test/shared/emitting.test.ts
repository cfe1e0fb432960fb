import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Schema } from 'mongoose';
import { collection, kept } from '#shared/mongo.ts';
import type { Emission } from '../../shared/models/plugins/emitting.ts';

const schema = Schema.create({ id_project: { type: String, required: true }, name: String, n: Number }, kept);
const Tale = collection('test_tales', schema);
const PROJECT = randomUUID();
const told: { emits: Emission[] } = { emits: [['tale.told', { by: 'Ann' }]] };

const eventsOf = async (filter: object): Promise<string[]> => {
  const found = await Tale.find({ id_project: PROJECT, ...filter })
    .select('+_events')
    .lean();
  return found.map((tale) => (tale as unknown as { _events: string })._events);
};
const aTale = () => new Tale({ id_project: PROJECT, name: 'x' }).save();

describe('A write that emits', () => {
  const expectTold = async (filter: object, times = 1) => {
    const texts = await eventsOf(filter);
    expect(texts, JSON.stringify(filter)).to.have.length(times);
    expect(texts, JSON.stringify(filter)).not.to.include(undefined);
    for (const text of texts) {
      const [ulid, project, ...emissions] = JSON.parse(text);
      expect(ulid).to.match(/^[0-9A-Z]{26}$/);
      expect(project).to.equal(PROJECT);
      expect(emissions).to.deep.equal(told.emits);
    }
    return texts;
  };

  it('carries its events whichever way it is made', async () => {
    const { _id } = await aTale();
    const own = { _id: String(_id), id_project: PROJECT };
    const texts = new Set(await eventsOf({ _id }));
    const step = async (write: () => Promise<unknown>) => {
      await write();
      const [text = ''] = await expectTold({ _id });
      expect(texts.has(text), 'a fresh text each time').to.equal(false);
      texts.add(text);
    };
    await step(() => Tale.updateOne(own, { $set: { n: 1 } }, told));
    await step(() => Tale.updateOne(own, { n: 2 }, told));
    await step(() => Tale.updateMany(own, { $inc: { n: 1 } }, told));
    await step(() => Tale.findOneAndUpdate(own, [{ $set: { n: 9 } }], { ...told, updatePipeline: true }));
    await step(() => Tale.bulkWrite([{ updateOne: { filter: own, update: { $set: { n: 4 } } } }], told));
    await step(async () => {
      const tale = await Tale.findOne(own);
      tale?.set('n', 5);
      await tale?.save(told);
    });
    const stored = await Tale.findOne(own).lean();
    expect(stored).to.include({ n: 5, __v: 6 }).and.not.have.property('_events');
  });

  it('carries them when the record is new', async () => {
    const [created] = await Tale.create([{ id_project: PROJECT, name: 'created' }], told);
    expect(created?.toObject()).not.to.have.property('_events');
    await Tale.bulkWrite([{ insertOne: { document: { id_project: PROJECT, name: 'bulk' } } }], told);
    await Tale.updateOne({ id_project: PROJECT, name: 'upserted' }, { $set: { n: 1 } }, { ...told, upsert: true });
    for (const name of ['created', 'bulk', 'upserted']) await expectTold({ name });
  });

  it('tells nothing that it was not told to', async () => {
    const { _id } = await aTale();
    await Tale.updateOne({ _id, id_project: PROJECT }, { n: 2 });
    expect(await eventsOf({ _id })).to.deep.equal([undefined]);
  });
});
