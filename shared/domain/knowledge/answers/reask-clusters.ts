/**
 * Asks the questions of a cluster (similar unanswered questions) again once the FAQ that editors have added for the
 * cluster is indexed. A question that is answered now moves from the log of unanswered questions to that of answered
 * ones.
 */
import { withIdempotentIds } from '../../../context.ts';
import { inTransaction } from '../../../database/connection.ts';
import { CONTENT_STATUS, KbContent } from '../../../models/kb-content.ts';
import { KbUnansweredQuestion } from '../../../models/kb-question.ts';
import { KbQuestionCluster } from '../../../models/kb-question-cluster.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';
import { answerQuestion, type Question, searchQuestion } from './answer-question.ts';

/** Maximum number of different questions of a cluster that are asked again. */
const MAX_QUESTIONS = 50;
const MAX_CLUSTERS_PER_SWEEP = 500;
/** The time after which the questions of a cluster are asked again if asking them has failed. */
const RETRY_MS = 10 * 60_000;

const questionInput = (question: string): Question => ({
  ...{ question, top_k: 5, max_tokens: 512, temperature: 0, citations: true, advancedPrompt: false },
  ...{ chat_history_dict: {}, include_history_in_prompt: false, max_history_messages: 0 },
});

/** A question of a cluster. It may have been logged several times; `id` is the id of its first entry in the log. */
interface ClusterQuestion {
  key: NamespaceKey;
  cluster: string;
  question: string;
  id: string;
  /** `reaskAt` of the cluster during this run; it changes if editors add or replace a FAQ of the cluster. */
  reaskAt: Date;
}

/** Asks a question again and logs it if it is answered now. Returns whether it is answered. */
const tryToAnswer = async ({ key, question, id }: ClusterQuestion, signal: AbortSignal): Promise<boolean> => {
  const input = questionInput(question);
  const search = await searchQuestion(key, input, signal);
  const { success } = await withIdempotentIds(`reask ${id}`, () =>
    answerQuestion(key, { input, search, logsUnanswered: false }, signal),
  );
  return success;
};

/** Removes an answered question from the log of unanswered ones, and counts its entries as resolved. */
const removeAnswered = ({ key: { id_project, namespace }, cluster, question, reaskAt }: ClusterQuestion) =>
  inTransaction(async (session) => {
    const filter = { id_project, namespace, cluster, question };
    const { deletedCount } = await KbUnansweredQuestion.deleteMany(filter, { session });
    const sameFaq = { _id: cluster, id_project, reaskAt };
    await KbQuestionCluster.updateOne(sameFaq, { $inc: { resolved: deletedCount } }, { session });
  });

/**
 * Asks the different questions of a cluster again. If a run is interrupted after an answer was logged, the next run
 * does not log it twice, because its id is derived from that of the question.
 */
const askAgain = async (
  key: NamespaceKey,
  { cluster, reaskAt }: Pick<ClusterQuestion, 'cluster' | 'reaskAt'>,
  signal: AbortSignal,
): Promise<void> => {
  const filter = { id_project: key.id_project, namespace: key.namespace, cluster };
  const distinct = [
    { $match: filter },
    { $group: { _id: '$question', id: { $min: '$_id' } } },
    { $limit: MAX_QUESTIONS },
  ];
  for (const { _id: question, id } of await KbUnansweredQuestion.aggregate<{ _id: string; id: unknown }>(distinct)) {
    const clusterQuestion = { key, cluster, question, id: String(id), reaskAt };
    if (await tryToAnswer(clusterQuestion, signal)) await removeAnswered(clusterQuestion);
  }
};

/**
 * Asks the questions of a cluster again if its FAQ is indexed. Does nothing while the FAQ is being indexed. If the FAQ
 * was deleted or its indexing has failed, the questions are not asked again.
 */
const reaskCluster = async (key: NamespaceKey, id: string, signal: AbortSignal): Promise<void> => {
  const { id_project } = key;
  const reaskAt = new Date(currentTimeMs() + RETRY_MS);
  const cluster = await KbQuestionCluster.findOneAndUpdate(
    { _id: id, id_project, reaskAt: { $lte: currentTime() } },
    { $set: { reaskAt } },
    { projection: { content: 1 } },
  ).lean();
  if (!cluster?.content) return;
  const content = await KbContent.findOne({ _id: cluster.content, id_project }, { status: 1 }).lean();
  const status = content?.status ?? CONTENT_STATUS.failed;
  const isIndexed = status === CONTENT_STATUS.indexed;
  if (isIndexed) await askAgain(key, { cluster: id, reaskAt }, signal);
  const isBeingIndexed = !isIndexed && status !== CONTENT_STATUS.failed;
  await KbQuestionCluster.updateOne(
    { _id: id, id_project, reaskAt }, // no match if editors have added or replaced a FAQ of the cluster in the meantime
    isBeingIndexed
      ? { $set: { reaskAt: currentTime() } }
      : { $unset: { reaskAt: 1 }, $set: isIndexed ? { reaskedAt: currentTime() } : {} },
  );
};

/** Asks the questions of the due clusters of a namespace again. */
export const reaskClusters = async ({ id_project, namespace }: NamespaceKey, signal: AbortSignal): Promise<void> => {
  const due = await KbQuestionCluster.find(
    { id_project, namespace, reaskAt: { $lte: currentTime() } },
    { _id: 1 },
  ).lean();
  for (const { _id } of due) await reaskCluster({ id_project, namespace }, String(_id), signal);
};

/** Returns the namespaces with clusters whose questions are due to be asked again. */
export const namespacesToReask = async (): Promise<NamespaceKey[]> => {
  const due = { reaskAt: { $lte: currentTime() } };
  const fields = { id_project: 1, namespace: 1 };
  const found = await KbQuestionCluster.find(due, fields, { anyProject: true }).limit(MAX_CLUSTERS_PER_SWEEP).lean();
  return found.map(({ id_project, namespace }) => ({ id_project, namespace }));
};
