/**
 * Measures how well a namespace answers the questions of a set, and how often the full-text search and the vector
 * search alone find the correct pages.
 */
import { evaluate, type EvaluatedQuestion } from '#shared/domain/knowledge/evaluation/evaluate.ts';
import { type Figures, figuresOf } from '#shared/domain/knowledge/evaluation/figures.ts';
import { type NamespaceKey, indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { type ChunkHit, chunkIndex } from '#shared/vectors/index.ts';
import type { Question } from './question-set.ts';

/** The result for each question; and figures, such as recall, for the answers (`hybrid`) and for each search alone. */
export interface RetrievalTrial {
  results: EvaluatedQuestion[];
  figures: Record<'hybrid' | 'full text' | 'vectors', Figures>;
}

const DEPTH = 100;
/** The number of chunks used for an answer: the default `top_k` of the API. */
const TOP_K = 5;

const sourcesOf = async ({ id_project, namespace }: NamespaceKey): Promise<Map<string, string>> => {
  const contents = await KbContent.find({ id_project, namespace }, { source: 1 }).lean();
  return new Map(contents.map(({ _id, source }) => [String(_id), source]));
};

/** Returns the figures of the full-text search and of the vector search, each without further ranking. */
async function measureSearches(namespaceKey: NamespaceKey, results: EvaluatedQuestion[]) {
  const sources = await sourcesOf(namespaceKey);
  const toFound = (hits: ChunkHit[]) => [...new Set(hits.map(({ content }) => sources.get(content) ?? ''))];
  const [byText, byVector]: EvaluatedQuestion[][] = [[], []];
  for (const result of results) {
    const { question: text } = result;
    const [vector] = (await embedder()?.embed([text], { project: namespaceKey.id_project })) ?? [];
    const hits = await chunkIndex().search(indexSpaceOf(namespaceKey), {
      text,
      ...(vector && { vector }),
      limit: DEPTH,
    });
    byText?.push({ ...result, found: toFound(hits.text) });
    byVector?.push({ ...result, found: toFound(hits.vector) });
  }
  return { 'full text': figuresOf(byText ?? []), vectors: figuresOf(byVector ?? []) };
}

/** Asks all questions, one after the other. */
export async function runRetrievalTrial(namespaceKey: NamespaceKey, questions: Question[]): Promise<RetrievalTrial> {
  const results = await evaluate(namespaceKey, questions, { topK: TOP_K });
  return { results, figures: { hybrid: figuresOf(results), ...(await measureSearches(namespaceKey, results)) } };
}
