/** Lists the clusters of unanswered questions, and promotes them to FAQs. */
import type { z } from 'zod';
import { invalidField, notFound } from '../../../errors.ts';
import { KbUnansweredQuestion } from '../../../models/kb-question.ts';
import { KbQuestionCluster, type KbQuestionClusterView } from '../../../models/kb-question-cluster.ts';
import { currentTime } from '../../../time/clock.ts';
import { isId } from '../../../wire/view.ts';
import * as contents from '../contents.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';
import { readClusterFigures } from './cluster-figures.ts';

const MAX_EXAMPLES = 5;
/** Number of a cluster's latest questions from which distinct examples are chosen. */
const QUESTIONS_WITH_EXAMPLES = 20;

const MAX_QUESTION_CHARACTERS = 1000;
/** The fault of the field `question` if it is absent and the cluster's own question is too long for a FAQ. */
const QUESTION_TOO_LONG = `is required: the question of the cluster has more than ${MAX_QUESTION_CHARACTERS} characters`;

type ClusterView = z.input<typeof KbQuestionClusterView>;
type ClusterRecord = Awaited<ReturnType<typeof readRecords>>[number];
type Figures = Awaited<ReturnType<typeof readClusterFigures>>;

const CLUSTER_FIELDS = { vector: 0, model: 0, weight: 0 } as const;

const readRecords = ({ id_project, namespace }: NamespaceKey) =>
  KbQuestionCluster.find({ id_project, namespace }, CLUSTER_FIELDS).lean();

const readExamples = async (id_project: string, namespace: string, cluster: string): Promise<string[]> => {
  const latest = await KbUnansweredQuestion.find({ id_project, namespace, cluster }, { question: 1 })
    .sort({ createdAt: -1 })
    .limit(QUESTIONS_WITH_EXAMPLES)
    .lean();
  return [...new Set(latest.map(({ question }) => question))].slice(0, MAX_EXAMPLES);
};

const toView = async (record: ClusterRecord, figures: Figures): Promise<ClusterView> => {
  const { _id, id_project, namespace, question, content, promotedAt, reaskedAt, resolved } = record;
  const { count = 0, first, last } = figures.get(String(_id)) ?? {};
  return {
    ...{ _id, id_project, namespace, question, count },
    examples: await readExamples(id_project, namespace, String(_id)),
    ...(first && last ? { first_asked_at: first, last_asked_at: last } : {}),
    ...(content ? { content } : {}),
    ...(promotedAt ? { promoted_at: promotedAt } : {}),
    ...(reaskedAt ? { reasked_at: reaskedAt, resolved: resolved ?? 0 } : {}),
  };
};

/**
 * Returns a page of the clusters that have questions or were promoted, and the number of all such clusters. Those with
 * the most questions are first.
 */
export const listClusters = async (
  key: NamespaceKey,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ count: number; clusters: ClusterView[] }> => {
  const [records, figures] = await Promise.all([readRecords(key), readClusterFigures(key)]);
  const rank = ({ _id }: ClusterRecord) => figures.get(String(_id))?.count ?? 0;
  const visible = records.filter((record) => rank(record) > 0 || record.content);
  const lastAsked = ({ _id }: ClusterRecord) => figures.get(String(_id))?.last.getTime() ?? 0;
  const sorted = visible.toSorted((one, other) => rank(other) - rank(one) || lastAsked(other) - lastAsked(one));
  const page = sorted.slice(skip, skip + limit);
  return { count: visible.length, clusters: await Promise.all(page.map((record) => toView(record, figures))) };
};

const findRecord = async (id_project: string, id: string): Promise<ClusterRecord> => {
  const record = isId(id) ? await KbQuestionCluster.findOne({ _id: id, id_project }, CLUSTER_FIELDS).lean() : null;
  if (!record) throw notFound('Cluster not found');
  return record;
};

/** The FAQ that answers a cluster. By default, its question is the one that represents the cluster. */
interface FaqInput {
  answer: string;
  question?: string;
  tags?: string[];
}

/**
 * Adds a FAQ that answers a cluster. The questions of the cluster are asked again once the FAQ is indexed. A repeated
 * call with the same question replaces the answer. Throws 404 if the project has no such cluster.
 */
export const promoteCluster = async (id_project: string, id: string, { answer, tags, ...input }: FaqInput) => {
  const { namespace, ...record } = await findRecord(id_project, id);
  const question = (input.question ?? record.question).replace(/\s+/g, ' ').trim();
  if (question.length > MAX_QUESTION_CHARACTERS) throw invalidField('question', QUESTION_TOO_LONG);
  const faq = { namespace, type: 'faq', name: question, source: question, content: `${question}\n${answer}`, tags };
  const { value: content } = await contents.add(id_project, faq);
  const promotion = { content: String(content._id), promotedAt: currentTime(), reaskAt: currentTime() };
  await KbQuestionCluster.updateOne(
    { _id: id, id_project },
    { $set: promotion, $unset: { reaskedAt: 1, resolved: 1 } },
  );
  const key = { id_project, namespace };
  const cluster = await toView(await findRecord(id_project, id), await readClusterFigures(key));
  return { cluster, content };
};
