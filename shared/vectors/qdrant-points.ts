import { hash } from 'node:crypto';
import type { Hit, Question, Row } from './chunk-index.ts';
import { weightsOf, wordsOf } from './terms.ts';

/** The sparse vector of a chunk's words. */
export const WORDS = 'bm25';

const LEAST_EF = 128;

/** The dense vector of that many numbers; a namespace whose model changed has several. */
export const vectorName = (dimension: number) => `text_${dimension}`;

/** Qdrant takes numbers and UUIDs as ids. */
function uuidOf(id: string): string {
  const hex = hash('sha256', id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const dense = (vector: Float32Array | null) => (vector ? { [vectorName(vector.length)]: Array.from(vector) } : {});

/** A row as the server keeps it; the text itself stays in MongoDB. */
export const pointOf = ({ id, content, attempt, text, vector }: Row) => ({
  id: uuidOf(id),
  payload: { id, content, attempt },
  vector: { [WORDS]: weightsOf(text), ...dense(vector) },
});

/** A find of the server. */
export function hitOf({ payload, score }: { payload?: Record<string, unknown> | null; score: number }): Hit {
  const { id, content, attempt } = payload as { id: string; content: string; attempt: string };
  return { id, content, attempt, score };
}

/** Points whose field has one of these values. */
export const anyOf = (key: string, values: string[]) => ({ must: [{ key, match: { any: values } }] });

const common = ({ limit, contents }: Question) => ({
  limit,
  with_payload: true,
  ...(contents && { filter: anyOf('content', contents) }),
});

/** What to ask for the question's words; nothing where it has none. */
export function queryOfText(question: Question) {
  const query = wordsOf(question.text ?? '');
  return query.indices.length > 0 ? { ...common(question), query, using: WORDS } : undefined;
}

/** What to ask for the question's meaning; nothing where it has no vector. */
export function queryOfVector(question: Question) {
  const { vector, limit } = question;
  if (!vector) return undefined;
  const params = { hnsw_ef: Math.max(LEAST_EF, limit * 2) };
  return { ...common(question), query: Array.from(vector), using: vectorName(vector.length), params };
}
