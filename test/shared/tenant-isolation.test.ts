import { expect } from 'chai';
import { Types } from 'mongoose';
import { TenantError } from '#shared/database/plugins/tenant.ts';
import { readMany, readOne } from '#shared/database/raw-read.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';

const ownQuestion = () => ({ id_project: String(new Types.ObjectId()), namespace: 'n', question: 'How?' });
const update = { $set: { question: 'Why?' } };
const savedQuestion = async () => (await new KbUnansweredQuestion(ownQuestion()).save()).toObject();

type Call = () => Promise<unknown>;

const CALLS_WITHOUT_PROJECT: Record<string, Call> = {
  find: () => KbUnansweredQuestion.find({ namespace: 'n' }).exec(),
  findOne: () => KbUnansweredQuestion.findOne({ _id: new Types.ObjectId() }).exec(),
  findById: () => KbUnansweredQuestion.findById(new Types.ObjectId()).exec(),
  exists: () => KbUnansweredQuestion.exists({ namespace: 'n' }).exec(),
  countDocuments: () => KbUnansweredQuestion.countDocuments({}).exec(),
  estimatedDocumentCount: () => KbUnansweredQuestion.estimatedDocumentCount().exec(),
  distinct: () => KbUnansweredQuestion.distinct('namespace').exec(),
  findOneAndUpdate: () => KbUnansweredQuestion.findOneAndUpdate({ namespace: 'n' }, update).exec(),
  findOneAndReplace: () => KbUnansweredQuestion.findOneAndReplace({ namespace: 'n' }, ownQuestion()).exec(),
  findOneAndDelete: () => KbUnansweredQuestion.findOneAndDelete({ namespace: 'n' }).exec(),
  replaceOne: () => KbUnansweredQuestion.replaceOne({ namespace: 'n' }, ownQuestion()).exec(),
  updateOne: () => KbUnansweredQuestion.updateOne({ namespace: 'n' }, update).exec(),
  updateMany: () => KbUnansweredQuestion.updateMany({}, update).exec(),
  deleteOne: () => KbUnansweredQuestion.deleteOne({ namespace: 'n' }).exec(),
  deleteMany: () => KbUnansweredQuestion.deleteMany({}).exec(),
  aggregate: () => KbUnansweredQuestion.aggregate([{ $match: { namespace: 'n' } }]).exec(),
  'a $lookup without the project': () =>
    KbUnansweredQuestion.aggregate([
      { $match: { id_project: 'p' } },
      { $lookup: { from: 'kb_contents', as: 'x', pipeline: [] } },
    ]).exec(),
  'a $unionWith without the project': () =>
    KbUnansweredQuestion.aggregate([
      { $match: { id_project: 'p' } },
      { $unionWith: { coll: 'kb_contents', pipeline: [] } },
    ]).exec(),
  'a $unionWith of a whole collection': () =>
    KbUnansweredQuestion.aggregate([{ $match: { id_project: 'p' } }, { $unionWith: 'kb_contents' }]).exec(),
  'a cursor': () => KbUnansweredQuestion.find({ namespace: 'n' }).cursor().next(),
  insertMany: () => KbUnansweredQuestion.insertMany([ownQuestion(), { ...ownQuestion(), id_project: undefined }]),
  'bulkWrite of an update': () =>
    KbUnansweredQuestion.bulkWrite([{ updateOne: { filter: { namespace: 'n' }, update } }]),
  'bulkWrite of an insert': () =>
    KbUnansweredQuestion.bulkWrite([{ insertOne: { document: { ...ownQuestion(), id_project: undefined as never } } }]),
  'bulkWrite of a deletion': () => KbUnansweredQuestion.bulkWrite([{ deleteMany: { filter: {} } }]),
  readOne: () => readOne(KbUnansweredQuestion, { namespace: 'n' }, { question: 1 }),
  readMany: () => readMany(KbUnansweredQuestion, { namespace: 'n' }, { fields: { question: 1 } }),
  'readOne with a query operator instead of a project id': () =>
    readOne(KbUnansweredQuestion, { id_project: { $ne: 'p' } }, { question: 1 }),
  'a query operator instead of a project id': () => KbUnansweredQuestion.find({ id_project: { $ne: 'p' } }).exec(),
};

describe('Tenant isolation', () => {
  for (const [name, call] of Object.entries(CALLS_WITHOUT_PROJECT)) {
    it(`a project-scoped model rejects a call without a project: ${name}`, async () => {
      const error = await call().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(TenantError);
    });
  }

  it('save refuses to move a record to another project', async () => {
    const record = await KbUnansweredQuestion.findOne(await savedQuestion());
    record?.set('id_project', 'another');
    expect(await record?.save().catch((error: unknown) => error)).to.be.instanceOf(TenantError);
  });

  it('the `anyProject` option allows a call without a project, and every write increments __v', async () => {
    const { _id, id_project } = await savedQuestion();
    await KbUnansweredQuestion.updateMany({ _id }, update).setOptions({ anyProject: true });
    await KbUnansweredQuestion.updateOne({ _id, id_project }, [{ $set: { question: 'When?' } }], {
      updatePipeline: true,
    });
    await KbUnansweredQuestion.bulkWrite([{ updateOne: { filter: { _id, id_project }, update } }]);
    const [record] = await KbUnansweredQuestion.find({ _id }, null, { anyProject: true });
    await record?.set('question', 'Who?').save();
    expect(await KbUnansweredQuestion.findOne({ _id, id_project }).lean()).to.include({ question: 'Who?', __v: 4 });
  });
});
