/** The logs of a knowledge base for its editors: the answered questions and the unanswered ones. */
import type { Model } from 'mongoose';
import { newId } from '../../../context.ts';
import { readEach } from '../../../database/raw-read.ts';
import { insertIfAbsent } from '../../../database/unique-keys.ts';
import { AppError, notFound } from '../../../errors.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import {
  KbAnsweredQuestion,
  KbAnsweredQuestionView,
  KbUnansweredQuestion,
  KbUnansweredQuestionView,
} from '../../../models/kb-question.ts';
import { isId, projectionOf } from '../../../wire/view.ts';

interface LoggedQuestion {
  _id: string;
  id_project: string;
  namespace: string;
  question: string;
  request_id?: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;
  score?: number;
}

/** An unanswered question; `sender` is the person who asked it, if known. */
export interface UnansweredQuestion extends LoggedQuestion {
  sender?: string;
}

/**
 * An answered question; `tokens` is the number of tokens of the prompt, multiplied by the factor that AI_MODELS sets
 * for the model.
 */
export interface AnsweredQuestion extends LoggedQuestion {
  answer: string;
  tokens?: number;
}

type StoredFields = '_id' | 'id_project' | 'createdAt' | 'updatedAt' | '__v' | 'score';
type NewQuestion<Q extends LoggedQuestion> = Omit<Q, StoredFields>;

/** A page of a list. With `search`, it contains the questions that match the words in it, sorted by relevance. */
interface QuestionsPage {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
  search?: string;
}

/**
 * Throws 403 unless the namespace belongs to the project. The error is the same for unknown namespaces and for those of
 * other projects.
 */
export const assertNamespace = async (id_project: string, namespace: string): Promise<void> => {
  if (namespace === id_project || (await KbNamespace.exists({ id_project, id: namespace }))) return;
  throw new AppError(403, 'FORBIDDEN', 'Not allowed. The namespace does not belong to the current project.');
};

const searchFilter = (search: string | undefined) => (search ? { $text: { $search: search } } : {});

/** Creates the functions of a log. They return `fields` of questions, and add `hiddenFields` to new questions. */
const questionLog = <Q extends LoggedQuestion>(
  model: Model<LoggedQuestion>,
  fields: Record<string, 1>,
  hiddenFields: object = {},
) => ({
  /** Stores a question and returns the record. */
  add: async (id_project: string, question: NewQuestion<Q>): Promise<Q> => {
    const record = new model({ ...question, ...hiddenFields, _id: newId(), id_project });
    await insertIfAbsent(() => record.save());
    const stored = record.toObject() as unknown as Record<string, unknown>;
    const keys = Object.keys(fields).filter((key) => key in stored);
    return Object.fromEntries(keys.map((key) => [key, stored[key]])) as unknown as Q;
  },
  /** Counts the questions of a namespace; with `search`, only those that match the words in it. */
  count: (id_project: string, namespace: string, search?: string): Promise<number> =>
    model.countDocuments({ id_project, namespace, ...searchFilter(search) }),
  /** Returns a page of the questions of a namespace. */
  list: (id_project: string, namespace: string, { search, sort, ...page }: QuestionsPage): Promise<Q[]> => {
    const filter = { id_project, namespace, ...searchFilter(search) };
    const score = { $meta: 'textScore' } as const;
    const [projection, order] = search
      ? [
          { ...fields, score },
          { score, _id: -1 as const },
        ]
      : [fields, sort];
    return model.find(filter, projection, { ...page, sort: order }).lean<Q[]>();
  },
  /** Yields the questions of a namespace, newest first. */
  stream: (id_project: string, namespace: string, limit: number): AsyncIterable<Q> =>
    readEach(model, { id_project, namespace }, { fields, sort: { createdAt: -1, _id: -1 }, limit }) as never,
  /** Deletes a question. Throws 404 if the project has no such question. */
  remove: async (id_project: string, id: string): Promise<void> => {
    const { deletedCount } = isId(id) ? await model.deleteOne({ _id: id, id_project }) : { deletedCount: 0 };
    if (!deletedCount) throw notFound('Question not found');
  },
  /** Deletes all questions of a namespace and returns their number. */
  removeAll: async (id_project: string, namespace: string): Promise<number> =>
    (await model.deleteMany({ id_project, namespace })).deletedCount,
});

export type QuestionLog<Q extends LoggedQuestion> = ReturnType<typeof questionLog<Q>>;

export const unansweredQuestions = questionLog<UnansweredQuestion>(
  KbUnansweredQuestion as unknown as Model<LoggedQuestion>,
  projectionOf(KbUnansweredQuestionView.omit({ score: true })),
  { needsCluster: true },
);

export const answeredQuestions = questionLog<AnsweredQuestion>(
  KbAnsweredQuestion as unknown as Model<LoggedQuestion>,
  projectionOf(KbAnsweredQuestionView.omit({ score: true })),
);

/**
 * Changes the text of an unanswered question, and marks it to be clustered again. Throws 404 if the project has no such
 * question.
 */
export const rephrase = async (id_project: string, id: string, question: string): Promise<UnansweredQuestion> => {
  const update = { $set: { question, needsCluster: true }, $unset: { cluster: 1 } } as const;
  const options = {
    returnDocument: 'after',
    projection: projectionOf(KbUnansweredQuestionView.omit({ score: true })),
  } as const;
  const changed = isId(id)
    ? await KbUnansweredQuestion.findOneAndUpdate({ _id: id, id_project }, update, options).lean<UnansweredQuestion>()
    : null;
  if (!changed) throw notFound('Question not found');
  return changed;
};
