/**
 * Ranks candidates by one score from full text and vectors. `test/bench/retrieval.bench.ts` measures the effect of the
 * weights.
 */
import type { Candidate } from './candidates.ts';
import { coverage, idealScore, type TermStatistics } from './term-statistics.ts';

/**
 * The weight of the vector score. The remaining weight is that of the full-text scores of the chunk and of its page.
 * This value performs best on the tuning questions in test/data. Values from 0.75 to 0.85 are nearly as good.
 */
export const DEFAULT_ALPHA = 0.8;
/** Weight of the chunk's own full-text score; the weight of its page's full-text score is 1. */
const CHUNK_WORDS_WEIGHT = 0.75;
/**
 * Weight of the similarity between the question and the page's first chunk. It favors chunks of pages that are about
 * the topic of the question.
 */
const FIRST_CHUNK_WEIGHT = 0.15;
/**
 * Weights of a page's second- to fourth-best chunks (companions), whose weighted scores are added to the score of each
 * chunk of the page.
 */
const COMPANION_WEIGHTS = [0.3, 0.2, 0.1];
/**
 * The score of a missing companion. If the page has further chunks, which the search did not return, it is
 * POOR_COMPANION_SCORE. If the page has no further chunks, it is 90% of the page's best score, but at least
 * POOR_COMPANION_SCORE, so that short pages are not penalized.
 */
const POOR_COMPANION_SCORE = 0.3;
const MISSING_COMPANION_SHARE = 0.9;
/**
 * The penalty for a chunk that consists mostly of labels, such as an index or a table of contents, because labels name
 * topics but contain no answers.
 */
const LABEL_PENALTY = 0.1;
/** The penalty for each further chunk of the same page, so that a short list covers several pages. */
const REPEAT_PENALTY = 0.3;

/** A candidate with its score; higher is better. */
export interface RankedCandidate extends Candidate {
  score: number;
}

const LABEL_LINE = /^\s*(?:[-*•]|\d+[.)])\s.*[^\s.!?:。！？]$/;

/** Whether most lines are list items without end punctuation. */
function isMostlyLabels(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.filter((line) => LABEL_LINE.test(line)).length > lines.length / 2;
}

/**
 * Returns the chunks of one page with their final scores, best first. Every chunk receives the same bonus for the
 * page's next-best chunks, and a penalty for each chunk of the page ranked above it.
 */
function scorePage(page: RankedCandidate[]): RankedCandidate[] {
  const sorted = page.toSorted((a, b) => b.score - a.score);
  const { score: best, chunkCount } = sorted[0] as RankedCandidate;
  const missingCompanionScore = (index: number) =>
    index < chunkCount ? POOR_COMPANION_SCORE : Math.max(POOR_COMPANION_SCORE, MISSING_COMPANION_SHARE * best);
  const bonus = COMPANION_WEIGHTS.reduce(
    (sum, weight, index) => sum + weight * (sorted[index + 1]?.score ?? missingCompanionScore(index + 1)),
    0,
  );
  return sorted.map((chunk, index) => ({ ...chunk, score: chunk.score + bonus - index * REPEAT_PENALTY }));
}

/**
 * Returns the candidates with their scores, best first. `words` are the statistics of the question's words; `alpha` is
 * the weight of the vector score.
 */
export function rankCandidates(
  candidates: Candidate[],
  { words, alpha }: { words: TermStatistics[]; alpha: number },
): RankedCandidate[] {
  const ideal = idealScore(words);
  const scored = candidates.map((candidate): RankedCandidate => {
    const { bm25, cosine, firstChunkCosine, text, content, chunkCount } = candidate;
    const chunkWordScore = ideal ? Math.min(1, bm25 / ideal) : 0;
    const wordScore = CHUNK_WORDS_WEIGHT * chunkWordScore + coverage(words, content, chunkCount);
    const score =
      alpha * (cosine + FIRST_CHUNK_WEIGHT * firstChunkCosine) +
      (1 - alpha) * wordScore -
      (isMostlyLabels(text) ? LABEL_PENALTY : 0);
    return { ...candidate, score };
  });
  const pages = Map.groupBy(scored, ({ content }) => content);
  return [...pages.values()].flatMap(scorePage).toSorted((a, b) => b.score - a.score);
}
