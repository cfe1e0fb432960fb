/** Updates an index to match the chunks of a namespace in MongoDB. Writes only the differences. */
import { KbChunk } from '../../../models/kb-chunk.ts';
import { type ChunkIndex } from '../../../vectors/index.ts';
import { addRows, type IndexedNamespace, readIndexRows } from './index-rows.ts';
import { indexSpaceOf } from './namespace-model.ts';

const IDS_PER_BATCH = 500;

interface Differences {
  /** The ids of the chunks that the index lacks. */
  missing: string[];
  /** The number of chunks that the index already contains. */
  present: number;
  /** The number of rows whose chunks were deleted, and the ids of the attempts that wrote them. */
  deleted: number;
  deletedAttempts: string[];
}

/**
 * Compares an index with MongoDB. The index is read first. A chunk is stored in MongoDB before it is indexed, so a row
 * without a chunk in MongoDB belongs to a deleted chunk.
 */
export const compareIndex = async (
  index: ChunkIndex,
  { id_project, namespace, model }: IndexedNamespace,
): Promise<Differences> => {
  const rows = new Map<string, string>();
  for await (const { id, attemptId } of index.entries(indexSpaceOf({ id_project, namespace }, model)))
    rows.set(id, attemptId);
  const missing: string[] = [];
  const found = rows.size;
  for await (const { _id } of KbChunk.find({ id_project, namespace }, { _id: 1 }).lean().cursor())
    if (!rows.delete(_id)) missing.push(_id);
  return { missing, present: found - rows.size, deleted: rows.size, deletedAttempts: [...new Set(rows.values())] };
};

/**
 * Adds all vectors of the model that will replace the namespace's model, because the comparison of ids does not show
 * which rows lack them.
 */
const addNextVectors = async (index: ChunkIndex, indexed: IndexedNamespace): Promise<void> => {
  const { nextModel, ...namespaceKey } = indexed;
  if (!nextModel) return;
  for await (const { nextRows } of readIndexRows(indexed))
    if (nextRows.length) await index.addVectors(indexSpaceOf(namespaceKey, nextModel), nextRows);
};

interface SyncOptions {
  /** Called with the number of chunks that were found in the index or added to it since the previous call. */
  onChunks?: (count: number) => void;
  /** Called before each batch. If it returns true, the sync ends. */
  isCancelled?: () => Promise<boolean>;
}

/**
 * Adds the chunks that the index lacks, and removes those that were deleted. After an interruption, a second call adds
 * the remaining chunks. Returns the number of added chunks, or null if the sync was cancelled.
 */
export const syncIndex = async (
  index: ChunkIndex,
  indexed: IndexedNamespace,
  { onChunks = () => {}, isCancelled = async () => false }: SyncOptions = {},
): Promise<number | null> => {
  const { missing, present, deletedAttempts } = await compareIndex(index, indexed);
  onChunks(present);
  if (deletedAttempts.length) await index.removeAttempts(indexSpaceOf(indexed, null), deletedAttempts);
  let added = 0;
  for (let start = 0; start < missing.length; start += IDS_PER_BATCH) {
    if (await isCancelled()) return null;
    for await (const batch of readIndexRows(indexed, missing.slice(start, start + IDS_PER_BATCH))) {
      await addRows(index, indexed, batch);
      added += batch.rows.length;
      onChunks(batch.rows.length);
    }
  }
  await addNextVectors(index, indexed);
  return added;
};
