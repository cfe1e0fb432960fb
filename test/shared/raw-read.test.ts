import { expect } from 'chai';
import { Types } from 'mongoose';
import { readMany, readOne } from '#shared/database/raw-read.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';

const QUESTION_FIELDS = { question: 1 } as const;

const createQuestions = async (...questions: string[]) => {
  const id_project = String(new Types.ObjectId());
  const created = await KbUnansweredQuestion.create(
    questions.map((question) => ({ id_project, namespace: 'n', question })),
  );
  return { id_project, ids: created.map(({ _id }) => String(_id)) };
};

describe('Raw reads', () => {
  it('readOne casts ids and reads only the requested fields', async () => {
    const { id_project, ids } = await createQuestions('How?');
    const question = await readOne(KbUnansweredQuestion, { _id: ids[0], id_project }, QUESTION_FIELDS);
    expect({ ...question, _id: String(question?._id) }).to.deep.equal({ _id: ids[0], question: 'How?' });
    expect(await readOne(KbUnansweredQuestion, { _id: ids[0], id_project: 'another' }, QUESTION_FIELDS)).to.equal(null);
  });

  it('readMany returns a page of records in the requested order', async () => {
    const { id_project, ids } = await createQuestions('c', 'a', 'b', 'd');
    const page = { fields: QUESTION_FIELDS, sort: { question: 1 }, skip: 1, limit: 2 } as const;
    expect((await readMany(KbUnansweredQuestion, { id_project }, page)).map(({ question }) => question)).to.deep.equal([
      'b',
      'c',
    ]);
    expect(
      await readMany(KbUnansweredQuestion, { id_project, _id: { $in: ids } }, { fields: QUESTION_FIELDS }),
    ).to.have.lengthOf(4);
  });

  it('readOne rejects a filter with unknown fields or invalid ids, and does not change the filter', async () => {
    const rejectionOf = (filter: object) =>
      readOne(KbUnansweredQuestion, { id_project: 'p', ...filter }, QUESTION_FIELDS).catch(({ name }) => name);
    expect(await rejectionOf({ nothing: 1 })).to.equal('StrictModeError');
    expect(await rejectionOf({ _id: 'none' })).to.equal('CastError');
    const filter = { _id: '0'.repeat(24), id_project: 'p' };
    await readOne(KbUnansweredQuestion, filter, QUESTION_FIELDS);
    expect(filter._id).to.equal('0'.repeat(24));
  });
});
