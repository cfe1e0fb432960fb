/** Retrieval: finds the best chunks of a namespace for a question. */
import type { Embedder } from '../../../embedding/embedder.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { indexSpaceOf, modelOf, type NamespaceKey } from '../indexing/namespace-model.ts';
import { type QuestionEvidence, weighEvidence } from './answerability.ts';
import { findCandidates, findTaggedContents } from './candidates.ts';
import { correctQuestion } from './correct-question.ts';
import { diversify } from './diversify.ts';
import { readRichness } from './namespace-richness.ts';
import { contentWords, findNames } from './question-words.ts';
import { DEFAULT_ALPHA, type RankedCandidate, rankCandidates } from './rank.ts';
import type { TagExpression } from './tag-expression.ts';
import { readTermStatistics } from './term-statistics.ts';

/** A retrieved chunk. `content` is the id of its content. */
export interface RetrievedChunk {
  id: string;
  content: string;
  source: string;
  name: string;
  headings: string[];
  text: string;
  score: number;
  /** The cosine similarity of the chunk and the question, from -1 to 1; absent if the search used no vectors. */
  similarity?: number;
}

/**
 * Options of a search. `alpha` is the weight of the vector score (0: full text only, 1: vectors only). Only contents
 * whose tags match `tags` are searched. Chunks with a lower cosine similarity than `minSimilarity` are omitted.
 */
export interface RetrieveOptions {
  limit: number;
  alpha?: number;
  searchType?: 'similarity' | 'hybrid' | 'mmr';
  tags?: TagExpression;
  minSimilarity?: number;
  signal?: AbortSignal;
}

/** How the chunks were found: with vectors, or by full text only. */
export type SearchMode = 'hybrid' | 'full text';

/**
 * The chunks, best first, with the evidence from which `judgeAnswerability` decides whether they answer the question.
 */
export interface RetrievalResult {
  /** The question after the correction of typing errors. */
  question: string;
  chunks: RetrievedChunk[];
  /**
   * All ranked chunks, best first. An answer without a chat model also quotes other chunks of the contents to which
   * `chunks` belong.
   */
  rankedChunks: RetrievedChunk[];
  evidence: QuestionEvidence;
  mode: SearchMode;
}

/**
 * Number of hits of the full-text search, and of the vector search, that are ranked. It is high enough that hits can be
 * dropped if their attempt is not published.
 */
const HITS_PER_SEARCH = 100;

/** Embeds texts with priority, because a person is waiting. Returns an empty list without a model. */
const embedTexts = async (model: Embedder | null, texts: string[], options: TextOptions): Promise<Float32Array[]> =>
  (await model?.embed(texts, { ...options, priority: true })) ?? [];

interface TextOptions {
  project: string;
  signal?: AbortSignal;
}

const toRetrievedChunk =
  (mode: SearchMode) =>
  ({ id, content, source, name, headings, text, score, cosine }: RankedCandidate): RetrievedChunk => ({
    ...{ id, content, source, name, headings, text, score },
    ...(mode === 'hybrid' ? { similarity: cosine } : {}),
  });

const alphaOf = (mode: SearchMode, { alpha, searchType }: RetrieveOptions): number => {
  if (mode === 'full text') return 0;
  return alpha ?? (searchType === 'similarity' ? 1 : DEFAULT_ALPHA);
};

const emptyResult = (mode: SearchMode, question: string): RetrievalResult => ({
  question,
  chunks: [],
  rankedChunks: [],
  evidence: weighEvidence({ words: [], names: [], chunks: [], richness: 0 }),
  mode,
});

/**
 * Returns the best chunks of a namespace for a question. The number of calls does not depend on the size of the
 * namespace: at most one call to the embedding model, one full-text search and one vector search, a small full-text
 * query for each word, and a few reads from MongoDB. Throws `IndexMissingError`, `IndexUnavailableError` and the
 * embedder's errors.
 */
export async function retrieve(
  namespaceKey: NamespaceKey,
  typedQuestion: string,
  options: RetrieveOptions,
): Promise<RetrievalResult> {
  const { limit, searchType, tags, minSimilarity = -Infinity, signal } = options;
  signal?.throwIfAborted();
  const model = await modelOf(namespaceKey);
  const space = indexSpaceOf(namespaceKey, model);
  const question = await correctQuestion(space, typedQuestion);
  const textOptions = { project: namespaceKey.id_project, signal };
  const contents = tags ? await findTaggedContents(namespaceKey, tags) : undefined;
  const [vector] = await embedTexts(model, [question], textOptions);
  const mode: SearchMode = vector ? 'hybrid' : 'full text';
  if (contents?.length === 0) return emptyResult(mode, question);
  const text = contentWords(question).join(' ') || question;
  const findChunks = async () => {
    const query = { text, vector, contents, limit: Math.max(HITS_PER_SEARCH, limit) };
    const hits = await chunkIndex().search(space, query);
    return findCandidates(namespaceKey, hits, { model, vector: vector ?? null });
  };
  const [candidates, words, richness] = await Promise.all([
    findChunks(),
    readTermStatistics(space, question, contents),
    readRichness(namespaceKey),
  ]);
  if (candidates.length === 0) return emptyResult(mode, question);
  const allRanked = rankCandidates(candidates, { words, alpha: alphaOf(mode, options) });
  const ranked = allRanked.filter(({ cosine }) => cosine >= minSimilarity);
  const chosen = searchType === 'mmr' ? diversify(ranked, limit) : ranked.slice(0, limit);
  const evidence = weighEvidence({ words, names: findNames(question), chunks: ranked, richness });
  return {
    question,
    chunks: chosen.map(toRetrievedChunk(mode)),
    rankedChunks: ranked.map(toRetrievedChunk(mode)),
    evidence,
    mode,
  };
}
