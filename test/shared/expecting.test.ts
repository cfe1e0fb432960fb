import { expect } from 'chai';
import { mongo, Types } from 'mongoose';
import { type Expected, expecting } from '#shared/context.ts';
import { Label } from '#shared/models/label.ts';
import { Tag } from '#shared/models/tag.ts';
import { inTransaction } from '#shared/mongo.ts';

const aTag = async () => {
  const [id_project, _id] = [String(new Types.ObjectId()), String(new Types.ObjectId())];
  await Tag.create([{ _id, id_project, tag: 'vip', createdBy: 'test' }]);
  const key = { id_project, _id };
  const paint = (color: string, session?: mongo.ClientSession) =>
    Tag.updateOne({ ...key }, { $set: { color } }, session ? { session } : {});
  return {
    ...{ id_project, paint },
    expected: (...versions: number[]): Expected => ({ collection: 'tags', key, versions, met: false }),
    /** Somebody else, who expects nothing. */
    paintElsewhere: (color: string) =>
      Tag.collection.updateOne({ _id: new Types.ObjectId(_id) }, { $set: { color }, $inc: { __v: 1 } }),
    read: () => Tag.findOne({ ...key }, { color: 1, __v: 1 }).lean(),
  };
};

const again = () => {
  const error = new mongo.MongoServerError({ message: 'try again' });
  error.addErrorLabel('TransientTransactionError');
  return error;
};

const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing refused',
    ({ status }: { status?: number }) => status,
  );

describe('A record that is expected at a version', () => {
  it('may be written more than once by the call that found it so', async () => {
    const { expected, paint, read } = await aTag();
    await expecting(expected(0), async () => {
      await paint('red');
      await paint('blue');
    });
    expect(await read()).to.include({ color: 'blue', __v: 2 });
  });

  it('is looked at again in every try of a transaction', async () => {
    const { expected, paint, paintElsewhere, read } = await aTag();
    let tries = 0;
    const work = () =>
      inTransaction(async (session) => {
        tries += 1;
        if (tries === 2) await paintElsewhere('green');
        await paint('red', session);
        if (tries === 1) throw again();
      });
    expect(await refusal(expecting(expected(0), work))).to.equal(412);
    expect([tries, (await read())?.color]).to.deep.equal([2, 'green']);
  });

  it('is not made where there is none', async () => {
    const { id_project } = await aTag();
    const expected = { collection: 'labels', key: { id_project }, versions: [0], met: false };
    const made = expecting(expected, () => new Label({ id_project, data: [], createdBy: 'test' }).save());
    expect(await refusal(made)).to.equal(412);
    expect(await Label.countDocuments({ id_project })).to.equal(0);
  });

  it('is left to its verb where a write would have found nothing anyway', async () => {
    const { id_project, expected } = await aTag();
    const none = Tag.findOneAndUpdate({ id_project, _id: new Types.ObjectId() }, { color: 'red' });
    expect(await expecting(expected(7), () => none.lean())).to.equal(null);
  });
});
