/** Converts the rows of a chunk index (one per chunk) to points, Qdrant's records, and queries to Qdrant's format. */
import { hash } from 'node:crypto';
import { type ChunkHit, type IndexQuery, type IndexRow, type IndexSpace, vectorsName } from './chunk-index.ts';
import { chunkVector, queryVector } from './sparse-vector.ts';

/** The name of the sparse BM25 vector that each point has. */
export const BM25_VECTOR = 'bm25';

const MIN_SEARCH_CANDIDATES = 128;
const CANDIDATES_PER_HIT = 4;

/**
 * Returns the name of the dense vectors of the embedding model in `space`. While the model of a namespace is changed,
 * the collection has vectors of two models.
 */
export const vectorName = (space: IndexSpace) => `text_${vectorsName(space)}`;

/** Derives a UUID from a chunk id, because Qdrant accepts only numbers and UUIDs. */
function uuidOf(id: string): string {
  const hex = hash('sha256', id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const denseVector = (space: IndexSpace, vector: Float32Array | null): Record<string, number[]> =>
  vector ? { [vectorName(space)]: Array.from(vector) } : {};

/** Converts a row to a point; the text itself stays in MongoDB. */
export const toPoint = (space: IndexSpace, { id, content, attemptId, text, vector }: IndexRow) => ({
  id: uuidOf(id),
  payload: { id, content, attemptId },
  vector: { [BM25_VECTOR]: chunkVector(text), ...denseVector(space, vector) },
});

/** Converts a row that has a dense vector to an update that adds this vector to the existing point. */
export const toVectors = (space: IndexSpace, { id, vector }: IndexRow) => ({
  id: uuidOf(id),
  vector: denseVector(space, vector),
});

/** Converts a scored point to a hit. */
export function toHit({ payload, score }: { payload?: Record<string, unknown> | null; score: number }): ChunkHit {
  const { id, content, attemptId } = payload as { id: string; content: string; attemptId: string };
  return { id, content, attemptId, score };
}

/** A filter for points whose field `key` has one of these values. */
export const matchAny = (key: string, values: string[]) => ({ must: [{ key, match: { any: values } }] });

const commonParameters = ({ limit, contents }: IndexQuery) => ({
  limit,
  with_payload: true,
  ...(contents && { filter: matchAny('content', contents) }),
});

/** Returns the full-text query for a question; undefined if the question has no words. */
export function textQuery(question: IndexQuery) {
  const query = queryVector(question.text ?? '');
  return query.indices.length > 0 ? { ...commonParameters(question), query, using: BM25_VECTOR } : undefined;
}

/** Returns the vector query for a question; undefined if the question has no vector. */
export function vectorQuery(space: IndexSpace, question: IndexQuery) {
  const { vector, limit } = question;
  if (!vector) return undefined;
  const params = { hnsw_ef: Math.max(MIN_SEARCH_CANDIDATES, limit * CANDIDATES_PER_HIT) };
  return { ...commonParameters(question), query: Array.from(vector), using: vectorName(space), params };
}
