/** Stores the questions that a knowledge base could not answer, for its editors. */
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import { KbQuestion, KbQuestionView } from '../../models/kb-question.ts';
import { isId, projectionOf } from '../../wire/view.ts';

const QUESTION_FIELDS = projectionOf(KbQuestionView);

interface UnansweredQuestion {
  namespace: string;
  question: string;
  request_id?: string;
  sender?: string;
}

/**
 * Throws 403 unless the namespace belongs to the project. The error is the same for unknown namespaces and for those of
 * other projects.
 */
export const assertNamespace = async (id_project: string, namespace: string): Promise<void> => {
  if (namespace === id_project || (await KbNamespace.exists({ id_project, id: namespace }))) return;
  throw new AppError(403, 'FORBIDDEN', 'Not allowed. The namespace does not belong to the current project.');
};

/** Stores a question and returns the record. */
export const add = async (id_project: string, question: UnansweredQuestion) => {
  const record = new KbQuestion({ ...question, _id: newId(), id_project });
  await insertIfAbsent(() => record.save());
  return record.toObject();
};

/** Counts the questions of a namespace. */
export const count = (id_project: string, namespace: string): Promise<number> =>
  KbQuestion.countDocuments({ id_project, namespace });

/** Returns a page of the questions of a namespace. */
export const list = (
  id_project: string,
  namespace: string,
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => KbQuestion.find({ id_project, namespace }, QUESTION_FIELDS, page).lean();

/** Deletes a question. Throws 404 if the project has no such question. */
export const remove = async (id_project: string, id: string): Promise<void> => {
  const { deletedCount } = isId(id) ? await KbQuestion.deleteOne({ _id: id, id_project }) : { deletedCount: 0 };
  if (!deletedCount) throw notFound('Question not found');
};

/** Deletes all questions of a namespace and returns their number. */
export const removeAll = async (id_project: string, namespace: string): Promise<number> =>
  (await KbQuestion.deleteMany({ id_project, namespace })).deletedCount;
