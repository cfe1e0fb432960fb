/** Writes stored chunks to an index: after another model has embedded them, in a rebuild, or in a migration. */
import { KbChunk } from '../../../models/kb-chunk.ts';
import { type ChunkIndex, chunkIndex, type IndexRow } from '../../../vectors/index.ts';
import { indexedText, runOnIndex, VECTOR_FIELDS, type VectorModel, vectorOf } from './chunks.ts';
import { indexSpaceOf, type NamespaceKey } from './namespace-model.ts';

const ROWS_PER_BATCH = 500;
const ROW_FIELDS = { content: 1, attemptId: 1, headings: 1, context: 1, text: 1, ...VECTOR_FIELDS } as const;

/** A namespace, and the models whose vectors are written: its own, and the one that will replace it. */
export interface IndexedNamespace extends NamespaceKey {
  model: VectorModel;
  nextModel?: VectorModel;
}

/** Chunks as rows: `rows` with vectors of the namespace's model, `nextRows` with those of its next model. */
export interface RowBatch {
  rows: IndexRow[];
  nextRows: IndexRow[];
}

type StoredRow = Parameters<typeof vectorOf>[0] & {
  _id: string;
  content: string;
  attemptId: string;
  headings: string[];
  context?: string | null;
  text: string;
};

const toRow = (chunk: StoredRow, vector: Float32Array | null): IndexRow => {
  const { _id: id, content, attemptId } = chunk;
  return { id, content, attemptId, text: indexedText(chunk), vector };
};

/** Yields stored chunks of a namespace as index rows, in batches: all of them, or those with the given ids. */
export async function* readIndexRows(
  { id_project, namespace, model, nextModel = null }: IndexedNamespace,
  ids?: string[],
): AsyncGenerator<RowBatch> {
  const filter = { id_project, namespace, ...(ids ? { _id: { $in: ids } } : {}) };
  const cursor = KbChunk.find(filter, ROW_FIELDS).lean().cursor({ batchSize: ROWS_PER_BATCH });
  let batch: RowBatch = { rows: [], nextRows: [] };
  for await (const chunk of cursor) {
    batch.rows.push(toRow(chunk, vectorOf(chunk, model)));
    const nextVector = vectorOf(chunk, nextModel);
    if (nextVector) batch.nextRows.push(toRow(chunk, nextVector));
    if (batch.rows.length < ROWS_PER_BATCH) continue;
    yield batch;
    batch = { rows: [], nextRows: [] };
  }
  if (batch.rows.length) yield batch;
}

/** Removes rows whose chunks were deleted from MongoDB while the rows were being added. */
const removeDeleted = async (index: ChunkIndex, namespaceKey: NamespaceKey, rows: IndexRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id);
  const stored = await KbChunk.find({ id_project: namespaceKey.id_project, _id: { $in: ids } }, { _id: 1 }).lean();
  if (stored.length === rows.length) return;
  const storedIds = new Set(stored.map(({ _id }) => _id));
  const removedAttempts = rows.filter(({ id }) => !storedIds.has(id)).map(({ attemptId }) => attemptId);
  await index.removeAttempts(indexSpaceOf(namespaceKey, null), [...new Set(removedAttempts)]);
};

/** Adds a batch of stored chunks to an index, then removes those that were deleted from MongoDB in the meantime. */
export const addRows = async (
  index: ChunkIndex,
  { model, nextModel = null, ...namespaceKey }: IndexedNamespace,
  { rows, nextRows }: RowBatch,
): Promise<void> => {
  await index.add(indexSpaceOf(namespaceKey, model), rows);
  if (nextRows.length) await index.addVectors(indexSpaceOf(namespaceKey, nextModel), nextRows);
  await removeDeleted(index, namespaceKey, rows);
};

/** Adds vectors of `model` to chunks that the index in use already contains. */
export const addVectorsToIndex = (namespaceKey: NamespaceKey, model: VectorModel, rows: IndexRow[]): Promise<void> =>
  runOnIndex({ ...namespaceKey, model }, async (index, space) => {
    await index.addVectors(space, rows);
    await removeDeleted(index, namespaceKey, rows);
  });

/** Adds a batch of stored chunks to the index in use. */
export const addRowsToIndex = (indexed: IndexedNamespace, batch: RowBatch): Promise<void> =>
  runOnIndex(indexed, () => addRows(chunkIndex(), indexed, batch));
