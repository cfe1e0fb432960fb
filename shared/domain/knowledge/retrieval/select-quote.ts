/** Selects the parts of a chunk to quote: splits it into units and scores each against the question. */
import { embedder } from '../../../embedding/embedder.ts';
import { sanitizeMarkdown } from '../../../security/sanitize-markdown.ts';
import { cosine } from '../../../vectors/vector.ts';
import type { SentenceEvidence } from './answerability.ts';
import { hasStemIn, stemsOf } from './question-words.ts';
import type { RetrievedChunk } from './retrieve.ts';
import { splitIntoUnits, type TextUnit } from './text-units.ts';

/** The weight of the cosine. The remaining weight is that of the share of matching words. */
const COSINE_WEIGHT = 0.8;
/** Longer units are not quoted. */
const MAX_UNIT_CHARACTERS = 1200;
/** A neighbour of the passage scores at least this, because units not compared, such as code, have a score of 0. */
const MIN_NEIGHBOUR_SCORE = 0.1;
/** Added to the score of the unit after the passage, so that it is preferred to an equally good unit before it. */
const FOLLOWING_BONUS = 0.05;
/** Matches a unit that introduces the next one. */
const ENDS_WITH_COLON = /[:：]$/;

/** A sanitized unit with its position in the chunk. `score` is 0 until the unit is compared with the question. */
export interface QuoteCandidate extends TextUnit {
  index: number;
  termShare: number;
  score: number;
}

const termShareOf = (words: string[], text: string): number => {
  const stems = stemsOf(text);
  return words.length ? words.filter((word) => hasStemIn(word, stems)).length / words.length : 0;
};

/** Sanitizes the text of a page and collapses the spaces that removed parts leave. */
export const sanitizeQuote = (text: string, source: string): string =>
  sanitizeMarkdown(text, { sources: [source], isQuote: true })
    .replace(/[ \t]{2,}/g, ' ')
    .trim();

/** Returns the units of a chunk in reading order, with the share of the question's words in each. */
export const quoteCandidatesOf = ({ text, source }: RetrievedChunk, words: string[]): QuoteCandidate[] =>
  splitIntoUnits(text, (prose) => sanitizeQuote(prose, source))
    .filter(({ text }) => text.length <= MAX_UNIT_CHARACTERS)
    .map((unit, index) => ({ ...unit, index, termShare: termShareOf(words, unit.text), score: 0 }));

/**
 * Returns the first `limit` units to compare, sorted by the share of the question's words that they contain, then by
 * position. Code is omitted, because it is quoted with the unit that introduces it.
 */
export const preselectQuotes = (units: QuoteCandidate[], limit: number): QuoteCandidate[] =>
  units
    .filter(({ kind }) => kind !== 'code')
    .toSorted((a, b) => b.termShare - a.termShare || a.index - b.index)
    .slice(0, limit);

/** The project on whose behalf texts are embedded, and the signal that is aborted when the caller disconnects. */
export interface QueryContext {
  project: string;
  signal?: AbortSignal;
}

/** A unit with the heading of its chunk, and the rank of its page, counted from 0. */
export interface ComparedUnit {
  unit: QuoteCandidate;
  heading: string;
  pageIndex: number;
}

/** What is compared: units with the question, and those of the best page also with the rare words of the question. */
export interface Comparison {
  question: string;
  rareWords: string[];
  units: ComparedUnit[];
}

/** A single rare word is often the whole question, and comparing a question with itself adds nothing. */
const MIN_COMPARED_WORDS = 2;

const nearest = (vector: Float32Array | undefined, others: Float32Array[]): number =>
  others.reduce((max, other) => Math.max(max, cosine(vector, other)), 0);

/** Returns the lowest, over the rare words, of the similarity to a sentence minus the similarity to the question. */
const leastCovered = (question: Float32Array | undefined, words: Float32Array[], sentences: Float32Array[]): number =>
  words.length < MIN_COMPARED_WORDS
    ? 0
    : Math.min(...words.map((word) => nearest(word, sentences) - cosine(word, question)));

/**
 * Scores units, each together with its heading, against the question. Without an embedding model, only words are
 * compared, and the result is null.
 */
export async function scoreQuotes(
  { question, rareWords, units }: Comparison,
  context: QueryContext,
): Promise<SentenceEvidence | null> {
  for (const { unit } of units) unit.score = unit.termShare;
  const texts = units.map(({ unit, heading }) => (heading ? `${heading}\n${unit.text}` : unit.text));
  const model = embedder();
  if (!model) return null;
  const vectors = await model.embed([question, ...rareWords, ...texts], { ...context, priority: true });
  const [questionVector] = vectors;
  const sentenceVectors = vectors.slice(1 + rareWords.length);
  const firstPageVectors = sentenceVectors.filter((_, index) => units[index]?.pageIndex === 0);
  units.forEach(
    ({ unit }, index) =>
      (unit.score =
        COSINE_WEIGHT * cosine(questionVector, sentenceVectors[index]) + (1 - COSINE_WEIGHT) * unit.termShare),
  );
  return {
    nearestSentence: nearest(questionVector, sentenceVectors),
    leastCoveredWord: leastCovered(questionVector, vectors.slice(1, 1 + rareWords.length), firstPageVectors),
  };
}

const joinUnits = (units: TextUnit[]): string =>
  units.reduce((text, { kind, text: next }, index) => {
    if (index === 0) return next;
    const isProse = kind === 'sentence' && units[index - 1]?.kind === 'sentence';
    return text + (isProse ? ' ' : '\n\n') + next;
  }, '');

/**
 * Returns the best passage of a chunk: the best unit, extended by its neighbours, the better one first, as long as the
 * passage has at most `maxCharacters`. If the best unit ends in a colon, the next unit is always included.
 */
export function bestPassage(units: QuoteCandidate[], maxCharacters: number): string {
  const best = units.reduce((one, other) => (other.score > one.score ? other : one));
  const scoreAt = (index: number) => Math.max(units[index]?.score ?? 0, MIN_NEIGHBOUR_SCORE);
  let start = best.index;
  let end = best.index + (ENDS_WITH_COLON.test(best.text) ? 2 : 1);
  for (;;) {
    const extensions = [
      { start, end: end + 1, score: scoreAt(end) + FOLLOWING_BONUS },
      { start: start - 1, end, score: scoreAt(start - 1) },
    ].filter((passage) => passage.start >= 0 && passage.end <= units.length);
    const next = extensions
      .toSorted((one, other) => other.score - one.score)
      .find((passage) => joinUnits(units.slice(passage.start, passage.end)).length <= maxCharacters);
    if (!next) return joinUnits(units.slice(start, end));
    ({ start, end } = next);
  }
}
