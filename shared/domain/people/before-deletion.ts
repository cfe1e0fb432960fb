/**
 * Steps that run before records of a person are deleted, because the steps find other data only through these records.
 * An erasure that continues after an interruption runs the steps again.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../config.ts';
import type { WholeDocument } from '../../database/whole-documents.ts';
import { KbUnansweredQuestion } from '../../models/kb-question.ts';
import { KbQuestionCluster } from '../../models/kb-question-cluster.ts';

type Hook = (records: WholeDocument[]) => Promise<void>;

/**
 * If a deleted question represents a cluster of similar questions, replaces it with another question of the cluster.
 * Deletes a cluster that has no other question.
 */
const replaceClusterQuestions: Hook = async (records) => {
  const deletedIds = records.map(({ _id }) => String(_id));
  for (const { id_project, cluster, question } of records as Record<string, string>[]) {
    if (!id_project || !cluster || !question) continue;
    const represented = { id_project, _id: cluster, question };
    const others = KbUnansweredQuestion.findOne({ id_project, cluster, _id: { $nin: deletedIds } }, { question: 1 });
    const other = await others.sort({ createdAt: 1 }).lean();
    if (other) await KbQuestionCluster.updateOne(represented, { question: other.question });
    else await KbQuestionCluster.deleteOne(represented);
  }
};

/**
 * Deletes the files of emails in the outbox folder. A search for personal data may miss these files, because an email
 * can encode its text.
 */
const deleteOutboxFiles: Hook = async (records) => {
  for (const { _id } of records) await rm(join(config.DATA_DIR, 'outbox', `${String(_id)}.eml`), { force: true });
};

/** The steps by collection. */
export const BEFORE_DELETION: Record<string, Hook> = {
  kb_unanswered: replaceClusterQuestions,
  mails: deleteOutboxFiles,
};
