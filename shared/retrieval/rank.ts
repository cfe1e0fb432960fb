/** Which candidate is best: one score from words and meaning, chosen by measurement (`test/bench/retrieval.bench.ts`). */
import type { Candidate } from './candidates.ts';
import { aboutness, idealScore, type KnownWord } from './knowledge.ts';

/**
 * Share of meaning in a score; the rest is words, those of the passage and those of its page alike. Best on the tuning
 * questions, 0.75 to 0.85 are nearly level.
 */
export const ALPHA = 0.8;
/** What the opening of a page adds: a passage counts for more on a page about the question. */
const OPENING = 0.15;
/** What further good passages of a page add to each of its passages. */
const COMPANIONS = [0.3, 0.2, 0.1];
/** A companion that was not found counts as a poor passage; on a page that has no more passages, as nearly the best. */
const POOR = 0.3;
const NEARLY = 0.9;
/** Off a passage that is mostly labels, as in an index or a table of contents: it names answers and has none. */
const LABELS = 0.1;
/** Off each further passage of one page, so that a few passages show several pages. */
const REPEAT = 0.3;

/** A candidate with its score, higher is better. */
export interface Ranked extends Candidate {
  score: number;
}

const LABEL = /^\s*(?:[-*•]|\d+[.)])\s.*[^\s.!?:。！？]$/;

/** Whether most lines are items of a list that end no sentence. */
function isLabels(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.filter((line) => LABEL.test(line)).length > lines.length / 2;
}

/** Passages of one page, best first, each raised by its companions and lowered by those before it. */
function together(page: Ranked[]): Ranked[] {
  const sorted = page.toSorted((a, b) => b.score - a.score);
  const { score: best, passages } = sorted[0] as Ranked;
  const missing = (at: number) => (at < passages ? POOR : Math.max(POOR, NEARLY * best));
  const bonus = COMPANIONS.reduce((sum, weight, at) => sum + weight * (sorted[at + 1]?.score ?? missing(at + 1)), 0);
  return sorted.map((passage, at) => ({ ...passage, score: passage.score + bonus - at * REPEAT }));
}

/** Candidates best first; `asked` are the words of the question, `alpha` is the share of meaning. */
export function rank(candidates: Candidate[], { asked, alpha }: { asked: KnownWord[]; alpha: number }): Ranked[] {
  const ideal = idealScore(asked);
  const scored = candidates.map((candidate): Ranked => {
    const { words, meaning, opening, text, content, passages } = candidate;
    const byWords = (ideal ? Math.min(1, words / ideal) : 0) + aboutness(asked, content, passages);
    const score = alpha * (meaning + OPENING * opening) + (1 - alpha) * byWords - (isLabels(text) ? LABELS : 0);
    return { ...candidate, score };
  });
  const pages = Map.groupBy(scored, ({ content }) => content);
  return [...pages.values()].flatMap(together).toSorted((a, b) => b.score - a.score);
}
