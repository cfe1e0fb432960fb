/** Reads the chunks of index hits from MongoDB. Only chunks of a content's published attempt become candidates. */
import { readMany } from '../../../database/raw-read.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import type { ChunkHit, ChunkHits } from '../../../vectors/index.ts';
import { cosine } from '../../../vectors/vector.ts';
import { chunkIdOf, type NamespaceKey, VECTOR_FIELDS, vectorOf } from '../indexing/chunks.ts';
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
  /** The cosine of the content's first chunk, which usually names the subject of the page. */
  openingCosine: number;
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
  const contents = await readMany(KbContent, filter, { fields: CONTENT_FIELDS, limit: ids.length });
  return new Map(contents.map((content) => [String(content._id), content]));
};

/** Reads the chunks of the hits, and the first chunk of each of their contents. */
const readChunks = async ({ id_project }: NamespaceKey, hits: ChunkHit[]) => {
  const ids = [...new Set(hits.flatMap((hit) => [hit.id, chunkIdOf(hit, 0)]))];
  const filter = { _id: { $in: ids }, id_project };
  const chunks = await readMany(KbChunk, filter, { fields: CHUNK_FIELDS, limit: ids.length });
  return new Map(chunks.map((chunk) => [chunk._id, chunk]));
};

/** The question's vector, and the name of the model that embedded it. */
export interface QuestionVector {
  model: string | undefined;
  vector: Float32Array | null;
}

/** Returns the hits that belong to published attempts as candidates, each chunk once. Makes one round trip. */
export async function findCandidates(
  namespaceKey: NamespaceKey,
  hits: ChunkHits,
  { model, vector: questionVector }: QuestionVector,
): Promise<Candidate[]> {
  const allHits = [...hits.vector, ...hits.text];
  if (!allHits.length) return [];
  const [contents, chunks] = await Promise.all([
    readContents(namespaceKey, allHits),
    readChunks(namespaceKey, allHits),
  ]);
  const vectors = new Map([...chunks].map(([id, chunk]) => [id, vectorOf(chunk, model)]));
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
      openingCosine: cosineOf(chunkIdOf(hit, 0)),
    };
    const vector = vectors.get(hit.id) ?? null;
    return [{ id: hit.id, content: hit.content, index, chunkCount, source, name, headings, text, ...scores, vector }];
  };
  return [...new Map(allHits.map((hit) => [hit.id, hit])).values()].flatMap(toCandidate);
}
