/**
 * Removes contents together with their chunks and vectors. Each removal is recorded first, so that a sweep can finish
 * it if the process is killed.
 */
import type { Types } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { KbContent, KbContentView } from '../../models/kb-content.ts';
import { KbDeletion } from '../../models/kb-deletion.ts';
import { KbRemoval } from '../../models/kb-removal.ts';
import { Outbox } from '../../models/outbox.ts';
import { currentTime } from '../../time/clock.ts';
import { chunkIndex, IndexUnavailableError } from '../../vectors/index.ts';
import { projectionOf } from '../../wire/view.ts';
import { removeAttemptChunks } from './indexing/chunks.ts';

const REMOVALS_PER_BATCH = 500;
/** Keeps the transactions small. */
const CONTENTS_PER_TRANSACTION = 100;

interface ContentFilter {
  id_project: string;
  namespace?: string;
  _id?: string | { $in: string[] };
  sitemap_origin_id?: string;
}

interface RemovedContent {
  _id: Types.ObjectId;
  id_project: string;
  namespace: string;
  attemptIds: string[];
  leaseUntil?: Date | null;
}

const toRemoval = ({ _id, id_project, namespace, attemptIds, leaseUntil }: RemovedContent) => ({
  id_project,
  namespace,
  content: String(_id),
  attemptIds,
  notBefore: leaseUntil ?? currentTime(),
});

const REMOVED_CONTENT_FIELDS = { ...projectionOf(KbContentView), attemptIds: 1, leaseUntil: 1 } as const;

const toOutboxInsert = (content: RemovedContent) => {
  const view: Partial<RemovedContent> = { ...content };
  delete view.attemptIds;
  delete view.leaseUntil;
  return { insertOne: { document: { id_project: content.id_project, record: String(content._id), view } } };
};

/**
 * Deletes up to CONTENTS_PER_TRANSACTION contents and records the chunks to remove, in one transaction. If an attempt
 * starts in the meantime, the transaction is retried, so that the records include this attempt. Emits
 * `kb.content.delete` if the filter contains a single `_id`; otherwise, the caller must emit an event. Returns the ids
 * of the contents.
 */
const deleteContents = (filter: ContentFilter, deletion?: string): Promise<string[]> =>
  inTransaction(async (session) => {
    const contents = (await KbContent.find(filter, REMOVED_CONTENT_FIELDS, { session })
      .limit(CONTENTS_PER_TRANSACTION)
      .lean()) as RemovedContent[];
    if (!contents.length) return [];
    const ids = contents.map(({ _id }) => _id);
    await KbRemoval.insertMany(contents.map(toRemoval), { session });
    await KbContent.deleteMany({ id_project: filter.id_project, _id: { $in: ids } }, { session });
    if (typeof filter._id === 'string')
      await Outbox.bulkWrite(contents.map(toOutboxInsert), { session, ...emits('kb.content.delete') });
    const { id_project } = filter;
    if (deletion)
      await KbDeletion.updateOne({ _id: deletion, id_project }, { $inc: { deleted: ids.length } }, { session });
    return ids.map(String);
  });

const groupByNamespace = <T extends { id_project: string; namespace: string }>(records: T[]): T[][] => [
  ...Map.groupBy(records, ({ id_project, namespace }) => `${id_project}/${namespace}`).values(),
];

interface PendingRemoval {
  _id: Types.ObjectId;
  id_project: string;
  namespace: string;
  attemptIds: string[];
  notBefore: Date;
}

/** Removes the chunks of `removals`. A record is kept until its `notBefore`: a worker may add chunks until then. */
const removeRecordedChunks = async (removals: PendingRemoval[]): Promise<void> => {
  for (const group of groupByNamespace(removals)) {
    const { id_project, namespace } = group[0] as PendingRemoval;
    await removeAttemptChunks({ id_project, namespace, attemptIds: group.flatMap(({ attemptIds }) => attemptIds) });
    const finished = group.filter(({ notBefore }) => notBefore <= currentTime());
    await KbRemoval.deleteMany({ id_project, _id: { $in: finished.map(({ _id }) => _id) } });
  }
};

/** Removes the chunks of the records that match. If the index is unavailable, the next sweep removes them. */
const tryRemoveRecordedChunks = async (filter: { id_project: string; content: { $in: string[] } }): Promise<void> => {
  try {
    await chunkIndex().ready(); // fails within two seconds if the index server hangs; a write would take longer to fail
    await removeRecordedChunks(await KbRemoval.find(filter).lean());
  } catch (error) {
    if (!(error instanceof IndexUnavailableError)) throw error;
  }
};

/**
 * Removes contents that match the filter, with their chunks and vectors, until a deadline (a time of
 * `performance.now()`). Adds their number to the record of the deletion, if given. Returns true if none is left.
 */
export const removeUntil = async (
  filter: ContentFilter,
  { deadline, deletion }: { deadline: number; deletion?: string },
): Promise<boolean> => {
  do {
    const removedIds = await deleteContents(filter, deletion);
    if (!removedIds.length) return true;
    await tryRemoveRecordedChunks({ id_project: filter.id_project, content: { $in: removedIds } });
  } while (performance.now() < deadline);
  return false;
};

/** Removes all contents that match the filter, with their chunks and vectors. */
export const remove = async (filter: ContentFilter): Promise<void> => {
  await removeUntil(filter, { deadline: Number.POSITIVE_INFINITY });
};

/**
 * Finishes the removals of killed processes, and removes chunks that a worker wrote after their content was deleted. A
 * sweep calls this function.
 */
export const finishRemovals = async (): Promise<void> => {
  for (;;) {
    const removals = await KbRemoval.find({ notBefore: { $lte: currentTime() } }, null, { anyProject: true })
      .limit(REMOVALS_PER_BATCH)
      .lean();
    if (!removals.length) return;
    await removeRecordedChunks(removals);
  }
};

/**
 * Removes the chunks of failed and replaced attempts of at most REMOVALS_PER_BATCH contents. If a content changes in
 * the meantime, the next sweep handles it.
 */
export const removeStaleChunks = async (filter: { id_project?: string; _id?: string } = {}): Promise<void> => {
  const fields = { id_project: 1, namespace: 1, attemptIds: 1, publishedAttemptId: 1, __v: 1 } as const;
  const contents = await KbContent.find({ ...filter, hasStaleChunks: true, leaseUntil: null }, fields, {
    anyProject: true,
  })
    .limit(REMOVALS_PER_BATCH)
    .lean();
  const stale = contents.map((content) => ({
    ...content,
    attemptIds: content.attemptIds.filter((attempt) => attempt !== content.publishedAttemptId),
  }));
  for (const group of groupByNamespace(stale)) {
    const { id_project, namespace } = group[0] as (typeof stale)[number];
    await removeAttemptChunks({ id_project, namespace, attemptIds: group.flatMap(({ attemptIds }) => attemptIds) });
    const updates = group.map(({ _id, attemptIds, __v }) => ({
      updateOne: {
        filter: { _id, id_project, __v },
        update: { $pull: { attemptIds: { $in: attemptIds } }, $unset: { hasStaleChunks: 1 } },
      },
    }));
    await KbContent.bulkWrite(updates);
  }
};
