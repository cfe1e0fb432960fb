/** Stores chunks in MongoDB, which is authoritative, and then in the index, which can be rebuilt from MongoDB. */
import { createHash } from 'node:crypto';
import type { Embedder, ModelReference } from '../../../embedding/embedder.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import type { Chunk } from '../../../parsing/parsing-pool.ts';
import { type ChunkIndex, chunkIndex, IndexMissingError, type IndexSpace } from '../../../vectors/index.ts';
import { withIdentifierWords } from '../../../search/identifiers.ts';
import { decodeVector, encodeVector } from '../../../vectors/vector.ts';
import { runStage } from './attempt-timeline.ts';
import type { Attempt } from './attempts.ts';
import { indexSpaceOf, modelOf, type NamespaceKey, recordModel } from './namespace-model.ts';
import { addToVocabulary } from './vocabulary.ts';

export { indexSpaceOf, type NamespaceKey } from './namespace-model.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** Returns the id of a chunk. Chunks of different attempts have different ids. */
export const chunkIdOf = ({ content, attemptId }: { content: string; attemptId: string }, index: number): string =>
  sha(`${content}:${attemptId}:${index}`);

/** A chunk, with its context if the content has `situated_context`. */
export type SituatedChunk = Chunk & { context?: string };

type ChunkText = Pick<SituatedChunk, 'headings' | 'text'> & { context?: string | null };

/** Returns the text that is embedded for a chunk: the heading path, the context, then the text of the chunk. */
export const embeddedText = ({ headings, context, text }: ChunkText): string =>
  [headings.join(' > '), context, text].filter(Boolean).join('\n');

/** Returns the text that is indexed for a chunk: the embedded text, and the words in names such as `maxItems`. */
export const indexedText = (chunk: ChunkText): string => withIdentifierWords(embeddedText(chunk));

/**
 * Returns a hash of all chunks of a content, without their contexts. Two versions of a content with the same text have
 * the same hash, unless only one version has contexts.
 */
export const hashChunks = (chunks: Chunk[], hasContexts: boolean): string =>
  sha(JSON.stringify([...chunks.map(embeddedText), ...(hasContexts ? ['situated_context'] : [])]));

/** Marks a namespace as not indexed, so that the next sweep rebuilds its index from scratch. */
export const markIndexMissing = async ({ id_project, namespace }: NamespaceKey): Promise<void> => {
  const update = { $set: { indexId: '' }, $pull: { copies: { indexId: await chunkIndex().identity() } } };
  await KbNamespace.updateOne({ id_project, id: namespace }, update);
};

/**
 * Runs `work` on the index of a namespace, with the vectors of `model`. If the index is missing, marks the namespace
 * as not indexed and rethrows the error.
 */
export const runOnIndex = async (
  { model, ...namespaceKey }: NamespaceKey & { model: VectorModel },
  work: (index: ChunkIndex, space: IndexSpace) => Promise<void>,
): Promise<void> => {
  try {
    await work(chunkIndex(), indexSpaceOf(namespaceKey, model));
  } catch (error) {
    if (error instanceof IndexMissingError) await markIndexMissing(namespaceKey);
    throw error;
  }
};

/** The vectors of a stored chunk: from its namespace's model, and from the model that will replace it. */
interface ChunkVectors {
  vector?: { buffer: Uint8Array } | Uint8Array | null;
  model?: string | null;
  nextVector?: { buffer: Uint8Array } | Uint8Array | null;
  nextModel?: string | null;
}

/** The projection for `vectorOf`. */
export const VECTOR_FIELDS = { vector: 1, model: 1, nextVector: 1, nextModel: 1 } as const;

/** The name and the dimension of a model; null without a model. */
export type VectorModel = Pick<ModelReference, 'name' | 'dimension'> | null;

/** Returns the chunk's vector of a model, or null if it has none, or only one of another dimension. */
export const vectorOf = (chunk: ChunkVectors, model: VectorModel): Float32Array | null => {
  if (!model || ![chunk.model, chunk.nextModel].includes(model.name)) return null;
  const vector = decodeVector(chunk.model === model.name ? chunk.vector : chunk.nextVector);
  return vector?.length === model.dimension ? vector : null;
};

const reusableVectors = async (
  { id_project, contentId: content, publishedAttemptId }: Attempt,
  model: Embedder,
): Promise<Map<string, Float32Array>> => {
  if (!publishedAttemptId) return new Map();
  const published = await KbChunk.find(
    { id_project, content, attemptId: publishedAttemptId },
    { hash: 1, ...VECTOR_FIELDS },
  ).lean();
  return new Map(
    published.flatMap((chunk) => {
      const vector = vectorOf(chunk, model);
      return vector ? [[chunk.hash, vector] as const] : [];
    }),
  );
};

interface EmbeddedTexts {
  vectors: (Float32Array | null)[];
  /** The number of texts that were sent to the model. Repeated texts are sent once. */
  embedded: number;
}

/** Returns the vector of each text, or null without a model. Reuses the vectors of the content's published chunks. */
const embedTexts = async (
  attempt: Attempt,
  { texts, model }: { texts: string[]; model: Embedder | null },
  signal: AbortSignal,
): Promise<EmbeddedTexts> => {
  if (!model) return { vectors: texts.map(() => null), embedded: 0 };
  const vectors = await reusableVectors(attempt, model);
  const newTexts = [...new Set(texts.filter((text) => !vectors.has(sha(text))))];
  const newVectors = await model.embed(newTexts, { project: attempt.id_project, signal });
  newTexts.forEach((text, index) => vectors.set(sha(text), newVectors[index] as Float32Array));
  return { vectors: texts.map((text) => vectors.get(sha(text)) ?? null), embedded: newTexts.length };
};

/** The result of `storeChunks`: the number of texts that were embedded, and the name of the model. */
export interface StoredChunks {
  embedded: number;
  embedded_by: string;
}

/**
 * Embeds chunks with the model of the namespace, and stores them under the attempt's id. Searches ignore them until the
 * attempt is published.
 */
export const storeChunks = async (
  attempt: Attempt,
  chunks: SituatedChunk[],
  signal: AbortSignal,
): Promise<StoredChunks> => {
  const model = await modelOf(attempt);
  const embedded_by = model?.name ?? '';
  if (!chunks.length) return { embedded: 0, embedded_by };
  const texts = chunks.map(embeddedText);
  const { vectors, embedded } = await runStage(attempt, 'embed', () => embedTexts(attempt, { texts, model }, signal));
  await runStage(attempt, 'store', () => writeChunks(attempt, { chunks, texts, vectors, model }));
  return { embedded, embedded_by };
};

interface EmbeddedChunks {
  chunks: SituatedChunk[];
  texts: string[];
  vectors: (Float32Array | null)[];
  model: Embedder | null;
}

const writeChunks = async (attempt: Attempt, { chunks, texts, vectors, model }: EmbeddedChunks): Promise<void> => {
  const { id, id_project, namespace, contentId } = attempt;
  if (model) await recordModel(attempt, model);
  const records = chunks.map(({ headings, context, text, tokens }, index) => ({
    _id: chunkIdOf({ content: contentId, attemptId: id }, index),
    id_project,
    namespace,
    content: contentId,
    attemptId: id,
    index,
    headings,
    text,
    ...(context ? { context } : {}),
    tokens,
    hash: sha(texts[index] as string),
    model: model?.name ?? '',
    ...(vectors[index] ? { vector: encodeVector(vectors[index]) } : {}),
  }));
  await KbChunk.insertMany(records, { lean: true });
  const rows = records.map(({ _id }, index) => ({
    id: _id,
    content: contentId,
    attemptId: id,
    text: withIdentifierWords(texts[index] as string),
    vector: vectors[index] ?? null,
  }));
  await addToVocabulary(attempt, texts);
  await runOnIndex({ id_project, namespace, model }, (index, space) => index.add(space, rows));
};

/** Attempts in one namespace whose chunks must be removed. */
export interface StaleAttempts {
  id_project: string;
  namespace: string;
  attemptIds: string[];
}

/**
 * Removes all chunks of some attempts, first from MongoDB and then from the index. If another worker adds such chunks
 * to the index in the meantime (`addRows`), it finds that MongoDB lacks them, and removes them from the index. A
 * missing index is not an error, because it is rebuilt from MongoDB.
 */
export const removeAttemptChunks = async ({ id_project, namespace, attemptIds }: StaleAttempts): Promise<void> => {
  if (!attemptIds.length) return;
  await KbChunk.deleteMany({ id_project, namespace, attemptId: { $in: attemptIds } });
  try {
    await runOnIndex({ id_project, namespace, model: null }, (index, space) => index.removeAttempts(space, attemptIds));
  } catch (error) {
    if (!(error instanceof IndexMissingError)) throw error;
  }
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
