import { expect } from 'chai';
import mongoose, { Types } from 'mongoose';
import { KbQuestion } from '#shared/models/kb-question.ts';
import { readMany, readOne } from '#shared/read.ts';
import { Roster } from '#shared/roster.ts';

const FIELDS = { question: 1 } as const;

const asked = async (...questions: string[]) => {
  const id_project = String(new Types.ObjectId());
  const made = await KbQuestion.create(questions.map((question) => ({ id_project, namespace: 'n', question })));
  return { id_project, ids: made.map(({ _id }) => String(_id)) };
};

describe('A plain read', () => {
  it('casts ids, and reads no field but those asked for', async () => {
    const { id_project, ids } = await asked('How?');
    const found = await readOne(KbQuestion, { _id: ids[0], id_project }, FIELDS);
    expect({ ...found, _id: String(found?._id) }).to.deep.equal({ _id: ids[0], question: 'How?' });
    expect(await readOne(KbQuestion, { _id: ids[0], id_project: 'another' }, FIELDS)).to.equal(null);
  });

  it('lists a page in its order', async () => {
    const { id_project, ids } = await asked('c', 'a', 'b', 'd');
    const page = { fields: FIELDS, sort: { question: 1 }, skip: 1, limit: 2 } as const;
    expect((await readMany(KbQuestion, { id_project }, page)).map(({ question }) => question)).to.deep.equal([
      'b',
      'c',
    ]);
    expect(await readMany(KbQuestion, { id_project, _id: { $in: ids } }, { fields: FIELDS })).to.have.lengthOf(4);
  });

  it('refuses a field that is not of the schema and an id that is none, and leaves the filter as it was', async () => {
    const refused = (filter: object) =>
      readOne(KbQuestion, { id_project: 'p', ...filter }, FIELDS).catch(({ name }) => name);
    expect(await refused({ nothing: 1 })).to.equal('StrictModeError');
    expect(await refused({ _id: 'none' })).to.equal('CastError');
    const filter = { _id: '0'.repeat(24), id_project: 'p' };
    await readOne(KbQuestion, filter, FIELDS);
    expect(filter._id).to.equal('0'.repeat(24));
  });
});

describe('What the driver has open', () => {
  it('is listed in a roster while it is open, and no longer', async () => {
    const { s: lists } = mongoose.connection.getClient() as unknown as { s: { activeCursors: Iterable<object> } };
    expect(lists.activeCursors).to.be.instanceOf(Roster);
    const open = [...lists.activeCursors].length;
    const cursor = KbQuestion.collection.find({});
    expect([...lists.activeCursors]).to.have.lengthOf(open + 1);
    await cursor.close();
    expect([...lists.activeCursors]).to.have.lengthOf(open);
  });

  it('is in it once, and leaves its place to another', () => {
    const roster = new Roster<object>();
    const [one, two, three] = [{}, {}, {}];
    roster.add(one).add(one).add(two);
    expect(roster.delete(one)).to.equal(true);
    expect(roster.delete(one)).to.equal(false);
    expect([...roster.add(three)]).to.deep.equal([three, two]);
    roster.clear();
    expect([...roster]).to.deep.equal([]);
  });
});
