/** Stores chunks in MongoDB, which is authoritative, and then in the index, which can be rebuilt from MongoDB. */
import { createHash } from 'node:crypto';
import { type Embedder, embedder } from '../../../embedding/embedder.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import type { Chunk } from '../../../parsing/parsing-pool.ts';
import {
  type ChunkIndex,
  chunkIndex,
  IndexMissingError,
  type IndexRow,
  type IndexSpace,
} from '../../../vectors/index.ts';
import { decodeVector, encodeVector } from '../../../vectors/vector.ts';
import type { Attempt } from './attempts.ts';
import { addToVocabulary } from './vocabulary.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** Returns the text of a chunk that is embedded and searched: the heading path, then the chunk. */
export const embeddedText = ({ headings, text }: { headings: string[]; text: string }): string =>
  [headings.join(' > '), text].filter(Boolean).join('\n');

/** Returns a hash over all chunks of a content. A new version of the content with the same text has the same hash. */
export const hashChunks = (chunks: Chunk[]): string => sha(JSON.stringify(chunks.map(embeddedText)));

/** Returns the part of the index that holds a namespace, for the current embedding model. */
export const indexSpaceOf = ({ id_project, namespace }: { id_project: string; namespace: string }): IndexSpace => ({
  project: id_project,
  namespace,
  dimension: embedder()?.dimension ?? null,
});

/** Identifies a namespace. */
export interface NamespaceKey {
  id_project: string;
  namespace: string;
}

/** Marks a namespace as not indexed, so that the next sweep rebuilds its index. */
export const markIndexMissing = async ({ id_project, namespace }: NamespaceKey): Promise<void> => {
  await KbNamespace.updateOne({ id_project, id: namespace }, { $set: { indexId: '' } });
};

/** Runs `work` on the index of a namespace. If the index is missing, marks the namespace and rethrows the error. */
const runOnIndex = async (
  namespaceKey: NamespaceKey,
  work: (index: ChunkIndex, space: IndexSpace) => Promise<void>,
): Promise<void> => {
  try {
    await work(chunkIndex(), indexSpaceOf(namespaceKey));
  } catch (error) {
    if (error instanceof IndexMissingError) await markIndexMissing(namespaceKey);
    throw error;
  }
};

/** Adds the words of the rows to the vocabulary of the namespace, and the rows to its index. */
const addRows = async (namespaceKey: NamespaceKey, rows: IndexRow[]): Promise<void> => {
  await addToVocabulary(
    namespaceKey,
    rows.map(({ text }) => text),
  );
  await runOnIndex(namespaceKey, (index, space) => index.add(space, rows));
};

const reusableVectors = async (
  { id_project, contentId: content, publishedAttemptId }: Attempt,
  model: Embedder,
): Promise<Map<string, Float32Array>> => {
  if (!publishedAttemptId) return new Map();
  const published = await KbChunk.find(
    { id_project, content, attemptId: publishedAttemptId, model: model.name },
    { hash: 1, vector: 1 },
  ).lean();
  return new Map(
    published.flatMap(({ hash, vector }) => (vector ? [[hash, decodeVector(vector)]] : []) as [string, Float32Array][]),
  );
};

/** Returns the vector of each text, or null without a model. Reuses the vectors of the content's published chunks. */
const embedTexts = async (attempt: Attempt, texts: string[], signal: AbortSignal): Promise<(Float32Array | null)[]> => {
  const model = embedder();
  if (!model) return texts.map(() => null);
  const vectors = await reusableVectors(attempt, model);
  const newTexts = [...new Set(texts.filter((text) => !vectors.has(sha(text))))];
  const newVectors = await model.embed(newTexts, { project: attempt.id_project, signal });
  newTexts.forEach((text, index) => vectors.set(sha(text), newVectors[index] as Float32Array));
  return texts.map((text) => vectors.get(sha(text)) ?? null);
};

/** Embeds and stores chunks under the attempt's id. Searches ignore them until the attempt is published. */
export const storeChunks = async (attempt: Attempt, chunks: Chunk[], signal: AbortSignal): Promise<void> => {
  if (!chunks.length) return;
  const { id, id_project, namespace, contentId } = attempt;
  const texts = chunks.map(embeddedText);
  const vectors = await embedTexts(attempt, texts, signal);
  const model = embedder()?.name ?? '';
  const records = chunks.map(({ headings, text, tokens }, index) => ({
    _id: sha(`${contentId}:${id}:${index}`),
    id_project,
    namespace,
    content: contentId,
    attemptId: id,
    index,
    headings,
    text,
    tokens,
    hash: sha(texts[index] as string),
    model,
    ...(vectors[index] ? { vector: encodeVector(vectors[index]) } : {}),
  }));
  await KbChunk.insertMany(records, { lean: true });
  const rows = records.map(({ _id }, index) => ({
    id: _id,
    content: contentId,
    attemptId: id,
    text: texts[index] as string,
    vector: vectors[index] ?? null,
  }));
  await addRows(attempt, rows);
};

/** Attempts in one namespace whose chunks must be removed. */
export interface StaleAttempts {
  id_project: string;
  namespace: string;
  attemptIds: string[];
}

/**
 * Removes all chunks of some attempts, first from MongoDB and then from the index. If another worker's `addToIndex`
 * adds such chunks to the index in the meantime, it finds that MongoDB lacks them and removes them again. A missing
 * index is not an error, because it is rebuilt from MongoDB.
 */
export const removeAttemptChunks = async ({ id_project, namespace, attemptIds }: StaleAttempts): Promise<void> => {
  if (!attemptIds.length) return;
  await KbChunk.deleteMany({ id_project, namespace, attemptId: { $in: attemptIds } });
  try {
    await runOnIndex({ id_project, namespace }, (index, space) => index.removeAttempts(space, attemptIds));
  } catch (error) {
    if (!(error instanceof IndexMissingError)) throw error;
  }
};

/** Adds stored chunks to the index, then removes the chunks that were deleted from MongoDB in the meantime. */
export const addToIndex = async (namespaceKey: NamespaceKey, rows: IndexRow[]): Promise<void> => {
  await addRows(namespaceKey, rows);
  const ids = rows.map(({ id }) => id);
  const stored = await KbChunk.find({ id_project: namespaceKey.id_project, _id: { $in: ids } }, { _id: 1 }).lean();
  if (stored.length === rows.length) return;
  const storedIds = new Set(stored.map(({ _id }) => _id));
  const removedAttempts = rows.filter(({ id }) => !storedIds.has(id)).map(({ attemptId }) => attemptId);
  await runOnIndex(namespaceKey, (index, space) => index.removeAttempts(space, [...new Set(removedAttempts)]));
};

const ROWS_PER_BATCH = 500;

/** Yields the stored chunks of a namespace as index rows, in batches. Vectors of other embedding models are omitted. */
export async function* readIndexRows(id_project: string, namespace: string): AsyncGenerator<IndexRow[]> {
  const model = embedder()?.name;
  const fields = { content: 1, attemptId: 1, headings: 1, text: 1, vector: 1, model: 1 };
  const cursor = KbChunk.find({ id_project, namespace }, fields).lean().cursor({ batchSize: ROWS_PER_BATCH });
  const rows: IndexRow[] = [];
  for await (const chunk of cursor) {
    const { _id, content, attemptId } = chunk;
    rows.push({
      id: _id,
      content,
      attemptId,
      text: embeddedText(chunk),
      vector: chunk.model === model ? decodeVector(chunk.vector) : null,
    });
    if (rows.length >= ROWS_PER_BATCH) yield rows.splice(0);
  }
  if (rows.length) yield rows;
}

/** Embeds the published chunks of a content that have no vector of the current model, and adds them to the index. */
export const embedStoredChunks = async (
  content: { id: string; id_project: string; namespace: string; publishedAttemptId: string },
  model: Embedder,
): Promise<void> => {
  const { id, id_project, publishedAttemptId } = content;
  const chunks = await KbChunk.find(
    { id_project, content: id, attemptId: publishedAttemptId, model: { $ne: model.name } },
    { headings: 1, text: 1 },
  ).lean();
  if (!chunks.length) return;
  const texts = chunks.map(embeddedText);
  const vectors = await model.embed(texts, { project: id_project });
  await KbChunk.bulkWrite(
    chunks.map(({ _id }, index) => ({
      updateOne: {
        filter: { _id, id_project },
        update: { $set: { vector: encodeVector(vectors[index] as Float32Array), model: model.name } },
      },
    })) as never,
  );
  const rows = chunks.map(({ _id }, index) => ({
    id: _id,
    content: id,
    attemptId: publishedAttemptId,
    text: texts[index] as string,
    vector: vectors[index] as Float32Array,
  }));
  await addToIndex(content, rows);
};

/** Returns the published chunks of a content in reading order. */
export const readCurrentChunks = async (
  id_project: string,
  content: string,
): Promise<{ id: string; text: string }[]> => {
  const stored = await KbContent.findOne({ _id: content, id_project }, { publishedAttemptId: 1 }).lean();
  if (!stored?.publishedAttemptId) return [];
  const chunks = await KbChunk.find(
    { id_project, content, attemptId: stored.publishedAttemptId },
    { headings: 1, text: 1 },
  )
    .sort({ index: 1 })
    .lean();
  return chunks.map((chunk) => ({ id: chunk._id, text: embeddedText(chunk) }));
};
