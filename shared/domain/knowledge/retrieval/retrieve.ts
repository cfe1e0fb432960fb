/** Retrieval: finds the best chunks of a namespace for a question, and judges whether they answer it. */
import type { Embedder } from '../../../embedding/embedder.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { indexSpaceOf, modelOf, type NamespaceKey } from '../indexing/namespace-model.ts';
import {
  type Answerability,
  extractFeatures,
  judgeAnswerability,
  MAX_CHUNKS_OF_MISSING_WORD,
  type SearchMode,
} from './answerability.ts';
import { findCandidates, findTaggedContents } from './candidates.ts';
import { correctQuestion } from './correct-question.ts';
import { diversify } from './diversify.ts';
import { readNamespaceProfile } from './namespace-profile.ts';
import { contentWords, findNames } from './question-words.ts';
import { DEFAULT_ALPHA, type RankedCandidate, rankCandidates } from './rank.ts';
import { readTermStatistics, type TermStatistics } from './term-statistics.ts';

/** A retrieved chunk. `content` is the id of its content. */
export interface RetrievedChunk {
  id: string;
  content: string;
  source: string;
  name: string;
  headings: string[];
  text: string;
  score: number;
}

/**
 * Options of a search. `alpha` is the weight of the vector score (0: full text only, 1: vectors only). Only contents
 * with all `tags` are searched.
 */
export interface RetrieveOptions {
  limit: number;
  alpha?: number;
  searchType?: 'similarity' | 'hybrid' | 'mmr';
  tags?: string[];
  signal?: AbortSignal;
}

/** The chunks, best first, the verdict on them, and whether vectors were used. */
export interface RetrievalResult {
  /** The question after the correction of typing errors. */
  question: string;
  chunks: RetrievedChunk[];
  answerability: Answerability;
  mode: SearchMode;
}

/**
 * Number of hits that are ranked, for each of the two searches. It is high enough that hits can be dropped if their
 * attempt is not published.
 */
const HITS_PER_SEARCH = 100;
const MAX_MISSING_WORDS = 8;

/** Embeds texts with priority, because a person is waiting. Returns an empty list without a model. */
const embedTexts = async (model: Embedder | null, texts: string[], options: TextOptions): Promise<Float32Array[]> =>
  (await model?.embed(texts, { ...options, priority: true })) ?? [];

interface TextOptions {
  project: string;
  signal?: AbortSignal;
}

/** Embeds the words that the namespace lacks, which takes about 5 ms per word. */
const embedMissingWords = (
  model: Embedder | null,
  words: TermStatistics[],
  options: TextOptions,
): Promise<Float32Array[]> => {
  const missing = words
    .filter(({ chunkCount }) => chunkCount <= MAX_CHUNKS_OF_MISSING_WORD)
    .slice(0, MAX_MISSING_WORDS);
  return embedTexts(
    model,
    missing.map(({ word }) => word),
    options,
  );
};

const toRetrievedChunk = ({ id, content, source, name, headings, text, score }: RankedCandidate): RetrievedChunk => ({
  id,
  content,
  source,
  name,
  headings,
  text,
  score,
});

const alphaOf = (mode: SearchMode, { alpha, searchType }: RetrieveOptions): number => {
  if (mode === 'full text') return 0;
  return alpha ?? (searchType === 'similarity' ? 1 : DEFAULT_ALPHA);
};

const emptyResult = (mode: SearchMode, question: string): RetrievalResult => ({
  question,
  chunks: [],
  answerability: { answerable: false, confidence: 0 },
  mode,
});

/**
 * Returns the best chunks of a namespace for a question. The number of calls does not depend on the size of the
 * namespace: at most two calls to the embedding model, one full-text search and one vector search, a small full-text
 * query for each word, and a few reads from MongoDB. Throws `IndexMissingError`, `IndexUnavailableError` and the
 * embedder's errors.
 */
export async function retrieve(
  namespaceKey: NamespaceKey,
  typedQuestion: string,
  options: RetrieveOptions,
): Promise<RetrievalResult> {
  const { limit, searchType, tags, signal } = options;
  signal?.throwIfAborted();
  const model = await modelOf(namespaceKey);
  const space = indexSpaceOf(namespaceKey, model);
  const question = await correctQuestion(space, typedQuestion);
  const textOptions = { project: namespaceKey.id_project, signal };
  const contents = tags?.length ? await findTaggedContents(namespaceKey, tags) : undefined;
  const [vector] = await embedTexts(model, [question], textOptions);
  const mode: SearchMode = vector ? 'hybrid' : 'full text';
  if (contents?.length === 0) return emptyResult(mode, question);
  const text = contentWords(question).join(' ') || question;
  const findChunks = async () => {
    const query = { text, vector, contents, limit: Math.max(HITS_PER_SEARCH, limit) };
    const hits = await chunkIndex().search(space, query);
    return findCandidates(namespaceKey, hits, { model: model?.name, vector: vector ?? null });
  };
  const readWords = async () => {
    const words = await readTermStatistics(space, question, contents);
    return { words, missingWordVectors: await embedMissingWords(model, words, textOptions) };
  };
  const [candidates, { words, missingWordVectors }, profile] = await Promise.all([
    findChunks(),
    readWords(),
    readNamespaceProfile(namespaceKey, model),
  ]);
  if (candidates.length === 0) return emptyResult(mode, question);
  const rankedChunks = rankCandidates(candidates, { words, alpha: alphaOf(mode, options) });
  const chosen = searchType === 'mmr' ? diversify(rankedChunks, limit) : rankedChunks.slice(0, limit);
  const answerability = judgeAnswerability(
    extractFeatures({ words, names: findNames(question), chunks: rankedChunks, missingWordVectors, profile }),
    mode,
  );
  return { question, chunks: chosen.map(toRetrievedChunk), answerability, mode };
}
