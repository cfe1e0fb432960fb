/** Reads the chunks of index hits from MongoDB. Only chunks of a content's published attempt become candidates. */
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import type { ChunkHit, ChunkHits } from '../../../vectors/index.ts';
import { cosine } from '../../../vectors/vector.ts';
import { type NamespaceKey, VECTOR_FIELDS, vectorOf } from '../indexing/chunks.ts';

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

type CurrentContent = { source: string; name: string; publishedAttemptId: string; chunkCount: number };

/** Returns the ids of the contents that have all the tags. */
export const findTaggedContents = async (
  { id_project, namespace }: NamespaceKey,
  tags: string[],
): Promise<string[]> => {
  const contents = await KbContent.find({ id_project, namespace, tags: { $all: tags } }, { _id: 1 }).lean();
  return contents.map(({ _id }) => String(_id));
};

const findCurrentContents = async (
  { id_project, namespace }: NamespaceKey,
  hits: ChunkHit[],
): Promise<Map<string, CurrentContent>> => {
  const ids = [...new Set(hits.map(({ content }) => content))];
  const fields = { source: 1, name: 1, publishedAttemptId: 1, chunks: 1 };
  const contents = await KbContent.find({ _id: { $in: ids }, id_project, namespace }, fields).lean();
  return new Map(
    contents.flatMap(({ _id, source, name, publishedAttemptId, chunks: chunkCount }) =>
      publishedAttemptId ? [[String(_id), { source, name, publishedAttemptId, chunkCount }]] : [],
    ),
  );
};

const CHUNK_FIELDS = { content: 1, attemptId: 1, index: 1, headings: 1, text: 1, ...VECTOR_FIELDS } as const;

const findChunks = (id_project: string, ids: string[], contents: Map<string, CurrentContent>) => {
  const attemptIds = [...contents.values()].map(({ publishedAttemptId }) => publishedAttemptId);
  return Promise.all([
    KbChunk.find({ _id: { $in: ids }, id_project }, CHUNK_FIELDS).lean(),
    KbChunk.find(
      { id_project, content: { $in: [...contents.keys()] }, attemptId: { $in: attemptIds }, index: 0 },
      { content: 1, ...VECTOR_FIELDS },
    ).lean(),
  ]);
};

/** The question's vector, and the name of the model that embedded it. */
export interface QuestionVector {
  model: string | undefined;
  vector: Float32Array | null;
}

/** Returns the hits that belong to published attempts as candidates, each chunk once. */
export async function findCandidates(
  namespaceKey: NamespaceKey,
  hits: ChunkHits,
  { model, vector: questionVector }: QuestionVector,
): Promise<Candidate[]> {
  const allHits = [...hits.vector, ...hits.text];
  const contents = await findCurrentContents(namespaceKey, allHits);
  const isCurrent = ({ content, attemptId }: ChunkHit) => contents.get(content)?.publishedAttemptId === attemptId;
  const ids = [...new Set(allHits.filter(isCurrent).map(({ id }) => id))];
  if (ids.length === 0) return [];
  const [chunks, openings] = await findChunks(namespaceKey.id_project, ids, contents);
  const bm25ByChunk = new Map(hits.text.map(({ id, score }) => [id, score]));
  const openingCosines = new Map(
    openings.map((opening) => [opening.content, cosine(questionVector, vectorOf(opening, model))]),
  );
  return chunks.map((chunk) => {
    const { _id, content, index, headings, text } = chunk;
    const vector = vectorOf(chunk, model);
    const { source, name, chunkCount } = contents.get(content) as CurrentContent;
    const scores = {
      bm25: bm25ByChunk.get(_id) ?? 0,
      cosine: cosine(questionVector, vector),
      openingCosine: openingCosines.get(content) ?? 0,
    };
    return { id: _id, content, index, chunkCount, source, name, headings, text, ...scores, vector };
  });
}
