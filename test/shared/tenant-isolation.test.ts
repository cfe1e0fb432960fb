import { expect } from 'chai';
import { Types } from 'mongoose';
import { TenantError } from '#shared/database/plugins/tenant.ts';
import { readMany, readOne } from '#shared/database/raw-read.ts';
import { KbQuestion } from '#shared/models/kb-question.ts';

const ownQuestion = () => ({ id_project: String(new Types.ObjectId()), namespace: 'n', question: 'How?' });
const update = { $set: { question: 'Why?' } };
const savedQuestion = async () => (await new KbQuestion(ownQuestion()).save()).toObject();

type Call = () => Promise<unknown>;

const CALLS_WITHOUT_PROJECT: Record<string, Call> = {
  find: () => KbQuestion.find({ namespace: 'n' }).exec(),
  findOne: () => KbQuestion.findOne({ _id: new Types.ObjectId() }).exec(),
  findById: () => KbQuestion.findById(new Types.ObjectId()).exec(),
  exists: () => KbQuestion.exists({ namespace: 'n' }).exec(),
  countDocuments: () => KbQuestion.countDocuments({}).exec(),
  estimatedDocumentCount: () => KbQuestion.estimatedDocumentCount().exec(),
  distinct: () => KbQuestion.distinct('namespace').exec(),
  findOneAndUpdate: () => KbQuestion.findOneAndUpdate({ namespace: 'n' }, update).exec(),
  findOneAndReplace: () => KbQuestion.findOneAndReplace({ namespace: 'n' }, ownQuestion()).exec(),
  findOneAndDelete: () => KbQuestion.findOneAndDelete({ namespace: 'n' }).exec(),
  replaceOne: () => KbQuestion.replaceOne({ namespace: 'n' }, ownQuestion()).exec(),
  updateOne: () => KbQuestion.updateOne({ namespace: 'n' }, update).exec(),
  updateMany: () => KbQuestion.updateMany({}, update).exec(),
  deleteOne: () => KbQuestion.deleteOne({ namespace: 'n' }).exec(),
  deleteMany: () => KbQuestion.deleteMany({}).exec(),
  aggregate: () => KbQuestion.aggregate([{ $match: { namespace: 'n' } }]).exec(),
  'a $lookup without the project': () =>
    KbQuestion.aggregate([
      { $match: { id_project: 'p' } },
      { $lookup: { from: 'kb_contents', as: 'x', pipeline: [] } },
    ]).exec(),
  'a cursor': () => KbQuestion.find({ namespace: 'n' }).cursor().next(),
  insertMany: () => KbQuestion.insertMany([ownQuestion(), { ...ownQuestion(), id_project: undefined }]),
  'bulkWrite of an update': () => KbQuestion.bulkWrite([{ updateOne: { filter: { namespace: 'n' }, update } }]),
  'bulkWrite of an insert': () =>
    KbQuestion.bulkWrite([{ insertOne: { document: { ...ownQuestion(), id_project: undefined as never } } }]),
  'bulkWrite of a deletion': () => KbQuestion.bulkWrite([{ deleteMany: { filter: {} } }]),
  readOne: () => readOne(KbQuestion, { namespace: 'n' }, { question: 1 }),
  readMany: () => readMany(KbQuestion, { namespace: 'n' }, { fields: { question: 1 } }),
  'readOne with a query operator instead of a project id': () =>
    readOne(KbQuestion, { id_project: { $ne: 'p' } }, { question: 1 }),
  'a query operator instead of a project id': () => KbQuestion.find({ id_project: { $ne: 'p' } }).exec(),
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
    const record = await KbQuestion.findOne(await savedQuestion());
    record?.set('id_project', 'another');
    expect(await record?.save().catch((error: unknown) => error)).to.be.instanceOf(TenantError);
  });

  it('the option anyProject allows a call without a project, and every write increments __v', async () => {
    const { _id, id_project } = await savedQuestion();
    await KbQuestion.updateMany({ _id }, update).setOptions({ anyProject: true });
    await KbQuestion.updateOne({ _id, id_project }, [{ $set: { question: 'When?' } }], { updatePipeline: true });
    await KbQuestion.bulkWrite([{ updateOne: { filter: { _id, id_project }, update } }]);
    const [record] = await KbQuestion.find({ _id }, null, { anyProject: true });
    await record?.set('question', 'Who?').save();
    expect(await KbQuestion.findOne({ _id, id_project }).lean()).to.include({ question: 'Who?', __v: 4 });
  });
});
