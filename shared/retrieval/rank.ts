/** Which candidate is best: one score from words and meaning, chosen by measurement (`test/bench/retrieval.bench.ts`). */
import type { Candidate } from './candidates.ts';

/** Share of meaning in a score, the rest is words: best on the tuning questions, between 0.7 and 0.85 nearly level. */
export const ALPHA = 0.75;
/** What the opening of a page adds: a passage counts for more on a page about the question. */
const OPENING = 0.1;
/** What further good passages of the same page add to each of its passages. */
const COMPANIONS = [0.2, 0.1];
/** What a passage counts as that a page does not have: about the cosine of any two texts. */
const NO_COMPANION = 0.2;
/** Off each further passage of one page, so that a few passages show more than one page. */
const REPEAT = 0.1;

/** A candidate with its score, higher is better. */
export interface Ranked extends Candidate {
  score: number;
}

/** Passages of one page, best first, each raised by its companions and lowered by those before it. */
function together(page: Ranked[]): Ranked[] {
  const sorted = page.toSorted((a, b) => b.score - a.score);
  const bonus = COMPANIONS.reduce((sum, weight, at) => sum + weight * (sorted[at + 1]?.score ?? NO_COMPANION), 0);
  return sorted.map((passage, at) => ({ ...passage, score: passage.score + bonus - at * REPEAT }));
}

/** Candidates best first; `ideal` is the BM25 score of a passage with all words of the question, `alpha` the share of meaning. */
export function rank(candidates: Candidate[], { ideal, alpha }: { ideal: number; alpha: number }): Ranked[] {
  const scored = candidates.map((candidate): Ranked => {
    const { words, meaning, opening } = candidate;
    const found = alpha * meaning + (1 - alpha) * (ideal ? Math.min(1, words / ideal) : 0);
    return { ...candidate, score: found + alpha * OPENING * opening };
  });
  const pages = Map.groupBy(scored, ({ content }) => content);
  return [...pages.values()].flatMap(together).sort((a, b) => b.score - a.score);
}
