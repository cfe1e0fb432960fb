/**
 * Ranks candidates: one score from full text and vectors. The weights were chosen by measurement
 * (`test/bench/retrieval.bench.ts`).
 */
import type { Candidate } from './candidates.ts';
import { coverage, idealScore, type TermStatistics } from './term-statistics.ts';

/**
 * The weight of the vector score; the rest is the full-text score of the chunk and of its page. Best value on the
 * tuning questions; 0.75 to 0.85 are nearly equal.
 */
export const DEFAULT_ALPHA = 0.8;
/**
 * Weight of the similarity between the question and the page's first chunk. It favours chunks from pages that are about
 * the question.
 */
const OPENING_WEIGHT = 0.15;
/** Weights of a page's second- to fourth-best chunks, whose scores are added to every chunk of the page. */
const COMPANION_WEIGHTS = [0.3, 0.2, 0.1];
/**
 * Score assumed for a missing companion. If the page has other chunks that the search did not return, assume a poor
 * one; if it has none, 90% of the page's best score (at least that of a poor one), so that short pages are not
 * penalised.
 */
const POOR_COMPANION_SCORE = 0.3;
const MISSING_COMPANION_SHARE = 0.9;
/**
 * The penalty of a chunk that is mostly labels, such as an index or a table of contents: it names topics but contains
 * no answer.
 */
const LABEL_PENALTY = 0.1;
/** The penalty of each further chunk of the same page, so that a short list covers several pages. */
const REPEAT_PENALTY = 0.3;

/** A candidate with its score; higher is better. */
export interface RankedCandidate extends Candidate {
  score: number;
}

const LABEL_LINE = /^\s*(?:[-*•]|\d+[.)])\s.*[^\s.!?:。！？]$/;

/** Whether most lines are list items that end no sentence. */
function isMostlyLabels(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.filter((line) => LABEL_LINE.test(line)).length > lines.length / 2;
}

/**
 * Scores the chunks of one page, best first. Every chunk gets the same bonus for the page's next-best chunks, and a
 * penalty for each chunk of the page ranked above it.
 */
function scorePage(page: RankedCandidate[]): RankedCandidate[] {
  const sorted = page.toSorted((a, b) => b.score - a.score);
  const { score: best, chunkCount } = sorted[0] as RankedCandidate;
  const missingCompanionScore = (at: number) =>
    at < chunkCount ? POOR_COMPANION_SCORE : Math.max(POOR_COMPANION_SCORE, MISSING_COMPANION_SHARE * best);
  const bonus = COMPANION_WEIGHTS.reduce(
    (sum, weight, at) => sum + weight * (sorted[at + 1]?.score ?? missingCompanionScore(at + 1)),
    0,
  );
  return sorted.map((chunk, at) => ({ ...chunk, score: chunk.score + bonus - at * REPEAT_PENALTY }));
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
    const { bm25, cosine, openingCosine, text, content, chunkCount } = candidate;
    const wordScore = (ideal ? Math.min(1, bm25 / ideal) : 0) + coverage(words, content, chunkCount);
    const score =
      alpha * (cosine + OPENING_WEIGHT * openingCosine) +
      (1 - alpha) * wordScore -
      (isMostlyLabels(text) ? LABEL_PENALTY : 0);
    return { ...candidate, score };
  });
  const pages = Map.groupBy(scored, ({ content }) => content);
  return [...pages.values()].flatMap(scorePage).toSorted((a, b) => b.score - a.score);
}
