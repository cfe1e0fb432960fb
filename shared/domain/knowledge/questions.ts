/** Questions a knowledge base had no answer to (contract 4.17). */
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import { KbQuestion, KbQuestionView } from '../../models/kb-question.ts';
import { makeOnce } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(KbQuestionView);

interface Asked {
  namespace: string;
  question: string;
  request_id?: string;
  sender?: string;
}

/** 403 unless the namespace is the project's; foreign and unknown alike (decision 6). */
export const checkNamespace = async (id_project: string, namespace: string): Promise<void> => {
  if (namespace === id_project || (await KbNamespace.exists({ id_project, id: namespace }))) return;
  throw new AppError(403, 'FORBIDDEN', 'Not allowed. The namespace does not belong to the current project.');
};

/** Keep a question for the editors of the knowledge base. */
export const log = async (id_project: string, asked: Asked) => {
  const record = new KbQuestion({ ...asked, _id: newId(), id_project });
  await makeOnce(() => record.save());
  return record.toObject();
};

/** How many are kept of a namespace. */
export const count = (id_project: string, namespace: string): Promise<number> =>
  KbQuestion.countDocuments({ id_project, namespace });

/** A page of them. */
export const list = (
  id_project: string,
  namespace: string,
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => KbQuestion.find({ id_project, namespace }, FIELDS, page).lean();

/** Delete one; 404 for one that is not the project's. */
export const remove = async (id_project: string, id: string): Promise<void> => {
  const { deletedCount } = isId(id) ? await KbQuestion.deleteOne({ _id: id, id_project }) : { deletedCount: 0 };
  if (!deletedCount) throw notFound('Question not found');
};

/** Delete all of a namespace; the number deleted. */
export const removeAll = async (id_project: string, namespace: string): Promise<number> =>
  (await KbQuestion.deleteMany({ id_project, namespace })).deletedCount;
