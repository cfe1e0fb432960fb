/** Reads the chunks of index hits from MongoDB. Only chunks of a content's published attempt become candidates. */
import { LRUCache } from 'lru-cache';
import { readMany } from '../../../database/raw-read.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import type { ChunkHit, ChunkHits } from '../../../vectors/index.ts';
import { cosine } from '../../../vectors/vector.ts';
import { chunkIdOf, type NamespaceKey, VECTOR_FIELDS, type VectorModel, vectorOf } from '../indexing/chunks.ts';
import { type TagExpression, toTagFilter } from './tag-expression.ts';

/** A chunk that may answer the question, with its scores. The cosines are 0 without vectors. */
export interface Candidate {
  id: string;
  content: string;
  index: number;
  /** The number of chunks of the content. */
  chunkCount: number;
  source: string;
  name: string;
  headings: string[];
  text: string;
  bm25: number;
  cosine: number;
  /** The cosine of the question and the content's first chunk, which usually names the subject of the page. */
  firstChunkCosine: number;
  vector: Float32Array | null;
}

/** Returns the ids of the contents whose tags match an expression. */
export const findTaggedContents = async (
  { id_project, namespace }: NamespaceKey,
  tags: TagExpression,
): Promise<string[]> => {
  const contents = await KbContent.find({ id_project, namespace, ...toTagFilter(tags) }, { _id: 1 }).lean();
  return contents.map(({ _id }) => String(_id));
};

const CONTENT_FIELDS = { source: 1, name: 1, publishedAttemptId: 1, chunks: 1 } as const;
const CHUNK_FIELDS = { content: 1, attemptId: 1, index: 1, headings: 1, text: 1, ...VECTOR_FIELDS } as const;

const readContents = async ({ id_project, namespace }: NamespaceKey, hits: ChunkHit[]) => {
  const ids = [...new Set(hits.map(({ content }) => content))];
  const filter = { _id: { $in: ids }, id_project, namespace };
  const contents = await readMany(KbContent, filter, { fields: CONTENT_FIELDS, limit: ids.length, hint: { _id: 1 } });
  return new Map(contents.map((content) => [String(content._id), content]));
};

const readChunks = <F extends typeof VECTOR_FIELDS>({ id_project }: NamespaceKey, ids: string[], fields: F) =>
  readMany(KbChunk, { _id: { $in: ids }, id_project }, { fields, limit: ids.length, hint: { _id: 1 } });

/** The cache takes about 6 MB with the local model. Entries never become outdated: a chunk keeps its vector. */
const MAX_CACHED_VECTORS = 4000;

const firstChunkVectors = new LRUCache<string, Float32Array>({ max: MAX_CACHED_VECTORS });

const vectorKey = (id: string, model: VectorModel): string => `${id}/${model?.name}`;

/** Reads the vectors of first chunks. Many questions have hits on the same pages, so the vectors are cached. */
const readFirstChunkVectors = async (namespaceKey: NamespaceKey, ids: string[], model: VectorModel) => {
  const cached = ids.map((id) => [id, firstChunkVectors.get(vectorKey(id, model)) ?? null] as const);
  const missing = cached.filter(([, vector]) => !vector).map(([id]) => id);
  const read = missing.length ? await readChunks(namespaceKey, missing, VECTOR_FIELDS) : [];
  const vectors = read.map((chunk) => [chunk._id, vectorOf(chunk, model)] as const);
  for (const [id, vector] of vectors) if (vector) firstChunkVectors.set(vectorKey(id, model), vector);
  return [...cached, ...vectors];
};

/** Reads the chunks of the hits, and the vectors of these chunks and of the first chunks of their contents. */
const readChunksOfHits = async (namespaceKey: NamespaceKey, hits: ChunkHit[], model: VectorModel) => {
  const ids = new Set(hits.map(({ id }) => id));
  const firstChunkIds = new Set(hits.map((hit) => chunkIdOf(hit, 0))).difference(ids);
  const [chunks, firstVectors] = await Promise.all([
    readChunks(namespaceKey, [...ids], CHUNK_FIELDS),
    readFirstChunkVectors(namespaceKey, [...firstChunkIds], model),
  ]);
  return {
    chunks: new Map(chunks.map((chunk) => [chunk._id, chunk])),
    vectors: new Map([...firstVectors, ...chunks.map((chunk) => [chunk._id, vectorOf(chunk, model)] as const)]),
  };
};

/** The question's vector, and the model that embedded it. */
export interface QuestionVector {
  model: VectorModel;
  vector: Float32Array | null;
}

/** Returns the hits of published attempts as candidates, each chunk once. Makes one round trip to MongoDB. */
export async function findCandidates(
  namespaceKey: NamespaceKey,
  hits: ChunkHits,
  { model, vector: questionVector }: QuestionVector,
): Promise<Candidate[]> {
  const allHits = [...hits.vector, ...hits.text];
  if (!allHits.length) return [];
  const [contents, { chunks, vectors }] = await Promise.all([
    readContents(namespaceKey, allHits),
    readChunksOfHits(namespaceKey, allHits, model),
  ]);
  const cosineOf = (id: string): number => cosine(questionVector, vectors.get(id));
  const bm25ByChunk = new Map(hits.text.map(({ id, score }) => [id, score]));
  const toCandidate = (hit: ChunkHit): Candidate[] => {
    const [chunk, content] = [chunks.get(hit.id), contents.get(hit.content)];
    if (!chunk || !content || content.publishedAttemptId !== hit.attemptId) return [];
    const { index, headings, text } = chunk;
    const { source, name, chunks: chunkCount } = content;
    const scores = {
      bm25: bm25ByChunk.get(hit.id) ?? 0,
      cosine: cosineOf(hit.id),
      firstChunkCosine: cosineOf(chunkIdOf(hit, 0)),
    };
    const vector = vectors.get(hit.id) ?? null;
    return [{ id: hit.id, content: hit.content, index, chunkCount, source, name, headings, text, ...scores, vector }];
  };
  return [...new Map(allHits.map((hit) => [hit.id, hit])).values()].flatMap(toCandidate);
}
