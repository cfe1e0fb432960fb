/**
 * With `reranking`, compares the best chunks of a search with the question again, and reorders them: with the
 * configured reranker or, without one, by their best sentences.
 */
import { isRerankerConfigured, rerank } from '../../../ai/reranker.ts';
import { config } from '../../../config.ts';
import { embeddedText } from '../indexing/chunks.ts';
import { SENTENCE_WEIGHT } from '../retrieval/extract-answer.ts';
import type { RetrievalResult, RetrievedChunk } from '../retrieval/retrieve.ts';
import { sentenceScores } from '../retrieval/sentence-scores.ts';
import { assertTokens, type CallContext, chargeTokens } from './model-calls.ts';
import { estimateTokens } from './token-budget.ts';

/** The options of a question that determine whether and how its chunks are reranked. */
export interface RerankingInput {
  top_k: number;
  reranking?: boolean;
  reranking_multiplier?: number;
}

const DEFAULT_MULTIPLIER = 3;
const MAX_RERANKED = 100;

/**
 * Returns the number of chunks to rerank for a question: `top_k` times `reranking_multiplier`, which is lowered if the
 * product exceeds MAX_RERANKED. Deployed clients rely on this rule.
 */
export const rerankedCount = ({
  top_k,
  reranking_multiplier: multiplier = DEFAULT_MULTIPLIER,
}: RerankingInput): number => {
  const allowed = top_k * multiplier > MAX_RERANKED ? Math.max(1, Math.floor(MAX_RERANKED / top_k)) : multiplier;
  return Math.floor(top_k * allowed);
};

/** Asks the reranker. Chunks that it leaves out follow in their previous order. */
const orderByService = async (
  question: string,
  chunks: RetrievedChunk[],
  { project, signal }: CallContext,
): Promise<RetrievedChunk[]> => {
  await assertTokens(project);
  const texts = chunks.map(embeddedText);
  const { order, tokens } = await rerank(question, texts, signal);
  const messages = texts.map((content) => ({ role: 'user' as const, content: question + content }));
  const { prompt } = estimateTokens(messages, '');
  await chargeTokens(project, config.RERANK_MODEL ?? '', { prompt: tokens || prompt, completion: 0 });
  const ranked = order.flatMap((index) => chunks[index] ?? []);
  return [...ranked, ...chunks.filter((_, index) => !order.includes(index))];
};

const orderBySentences = async (
  question: string,
  chunks: RetrievedChunk[],
  context: CallContext,
): Promise<RetrievedChunk[]> => {
  const scores = await sentenceScores(question, chunks, context);
  return chunks
    .map((chunk, index) => ({ chunk, total: chunk.score + SENTENCE_WEIGHT * (scores[index] ?? 0) }))
    .toSorted((one, other) => other.total - one.total)
    .map(({ chunk }) => chunk);
};

/**
 * Reorders the chunks of a search by how well they answer the question. The scores are reassigned in the new order, so
 * that later steps can still compare them with those of other chunks. Throws the errors of `callModel`.
 */
export const rerankChunks = async (
  retrieval: RetrievalResult,
  question: string,
  context: CallContext,
): Promise<RetrievalResult> => {
  const { chunks, rankedChunks } = retrieval;
  if (chunks.length < 2) return retrieval;
  const order = isRerankerConfigured() ? orderByService : orderBySentences;
  const scores = chunks.map(({ score }) => score).toSorted((one, other) => other - one);
  const reordered = (await order(question, chunks, context)).map((chunk, index) => ({
    ...chunk,
    score: scores[index] as number,
  }));
  const ids = new Set(reordered.map(({ id }) => id));
  return {
    ...retrieval,
    chunks: reordered,
    rankedChunks: [...reordered, ...rankedChunks.filter(({ id }) => !ids.has(id))],
  };
};
