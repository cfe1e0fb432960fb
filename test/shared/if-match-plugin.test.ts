import { expect } from 'chai';
import { mongo, Types } from 'mongoose';
import { type ExpectedVersion, withExpectedVersion } from '#shared/context.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { Label } from '#shared/models/label.ts';
import { Tag } from '#shared/models/tag.ts';

const aTag = async () => {
  const [id_project, _id] = [String(new Types.ObjectId()), String(new Types.ObjectId())];
  await Tag.create([{ _id, id_project, tag: 'vip', createdBy: 'test' }]);
  const key = { id_project, _id };
  const setColor = (color: string, session?: mongo.ClientSession) =>
    Tag.updateOne({ ...key }, { $set: { color } }, session ? { session } : {});
  return {
    ...{ id_project, setColor },
    expected: (...versions: number[]): ExpectedVersion => ({ collection: 'tags', key, versions, matched: false }),
    /** Writes the color as another caller, without If-Match. */
    setColorElsewhere: (color: string) =>
      Tag.collection.updateOne({ _id: new Types.ObjectId(_id) }, { $set: { color }, $inc: { __v: 1 } }),
    read: () => Tag.findOne({ ...key }, { color: 1, __v: 1 }).lean(),
  };
};

const transientError = () => {
  const error = new mongo.MongoServerError({ message: 'try again' });
  error.addErrorLabel('TransientTransactionError');
  return error;
};

const rejectionStatus = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not rejected',
    ({ status }: { status?: number }) => status,
  );

describe('If-Match plugin', () => {
  it('a call whose If-Match matches may write the record more than once', async () => {
    const { expected, setColor, read } = await aTag();
    await withExpectedVersion(expected(0), async () => {
      await setColor('red');
      await setColor('blue');
    });
    expect(await read()).to.include({ color: 'blue', __v: 2 });
  });

  it('the expected version is checked again in each attempt of a transaction', async () => {
    const { expected, setColor, setColorElsewhere, read } = await aTag();
    let attempts = 0;
    const work = () =>
      inTransaction(async (session) => {
        attempts += 1;
        if (attempts === 2) await setColorElsewhere('green');
        await setColor('red', session);
        if (attempts === 1) throw transientError();
      });
    expect(await rejectionStatus(withExpectedVersion(expected(0), work))).to.equal(412);
    expect([attempts, (await read())?.color]).to.deep.equal([2, 'green']);
  });

  it('creating a record is rejected with 412 if If-Match expects an existing version', async () => {
    const { id_project } = await aTag();
    const expected = { collection: 'labels', key: { id_project }, versions: [0], matched: false };
    const creation = withExpectedVersion(expected, () => new Label({ id_project, data: [], createdBy: 'test' }).save());
    expect(await rejectionStatus(creation)).to.equal(412);
    expect(await Label.countDocuments({ id_project })).to.equal(0);
  });

  it('a write that matches no record is not rejected with 412', async () => {
    const { id_project, expected } = await aTag();
    const none = Tag.findOneAndUpdate({ id_project, _id: new Types.ObjectId() }, { color: 'red' });
    expect(await withExpectedVersion(expected(7), () => none.lean())).to.equal(null);
  });
});
