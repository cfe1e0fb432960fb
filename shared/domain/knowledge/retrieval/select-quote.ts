/** Selects the parts of a chunk to quote: splits it into units and scores each against the question. */
import { embedder } from '../../../embedding/embedder.ts';
import { sanitizeMarkdown } from '../../../security/sanitize-markdown.ts';
import { cosine } from '../../../vectors/vector.ts';
import { hasStemIn, stemsOf } from './question-words.ts';
import type { RetrievedChunk } from './retrieve.ts';
import { splitIntoUnits, type TextUnit } from './text-units.ts';

/** The weight of the cosine; the rest is the share of matching words. */
const COSINE_WEIGHT = 0.8;
/** The most characters of one unit. */
const MAX_UNIT_CHARACTERS = 1200;
/** Matches a unit that introduces the next one. */
const ENDS_WITH_COLON = /[:：]$/;

/** A sanitized unit; `score` is 0 if it was not compared. */
export interface QuoteCandidate extends TextUnit {
  at: number;
  termShare: number;
  score: number;
}

const termShareOf = (words: string[], text: string): number => {
  const stems = stemsOf(text);
  return words.length ? words.filter((word) => hasStemIn(word, stems)).length / words.length : 0;
};

/** Sanitizes text of a page and joins the spaces that removals leave. */
export const sanitizeQuote = (text: string, source: string): string =>
  sanitizeMarkdown(text, { sources: [source], isQuote: true })
    .replace(/[ \t]{2,}/g, ' ')
    .trim();

/** Returns the units of a chunk in reading order, with the share of the question's words in each. */
export const quoteCandidatesOf = ({ text, source }: RetrievedChunk, words: string[]): QuoteCandidate[] =>
  splitIntoUnits(text, (prose) => sanitizeQuote(prose, source))
    .filter(({ text }) => text.length <= MAX_UNIT_CHARACTERS)
    .map((unit, at) => ({ ...unit, at, termShare: termShareOf(words, unit.text), score: 0 }));

/**
 * Returns the `limit` units to compare: those with the most words of the question first, then in reading order. Code is
 * left out; it is quoted with the unit that introduces it.
 */
export const preselectQuotes = (units: QuoteCandidate[], limit: number): QuoteCandidate[] =>
  units
    .filter(({ kind }) => kind !== 'code')
    .toSorted((a, b) => b.termShare - a.termShare || a.at - b.at)
    .slice(0, limit);

/** The project that pays for the embeddings, and the caller's signal. */
export interface QueryContext {
  project: string;
  signal?: AbortSignal;
}

/** Scores units against the question, each together with its chunk's heading; by words only if there is no model. */
export async function scoreQuotes(
  question: string,
  units: { unit: QuoteCandidate; heading: string }[],
  context: QueryContext,
) {
  for (const { unit } of units) unit.score = unit.termShare;
  const texts = units.map(({ unit, heading }) => (heading ? `${heading}\n${unit.text}` : unit.text));
  const model = embedder();
  if (!model) return;
  const [questionVector, ...vectors] = await model.embed([question, ...texts], { ...context, priority: true });
  units.forEach(
    ({ unit }, at) =>
      (unit.score = COSINE_WEIGHT * cosine(questionVector, vectors[at]) + (1 - COSINE_WEIGHT) * unit.termShare),
  );
}

/** Joins the best `limit` units in reading order. A unit that ends in a colon brings the next one along. */
export function joinBestQuotes(units: QuoteCandidate[], limit: number): string {
  const best = units.toSorted((a, b) => b.score - a.score || a.at - b.at).slice(0, limit);
  const chosen = new Set(
    best.flatMap((unit) => [unit, ENDS_WITH_COLON.test(unit.text) ? units[unit.at + 1] : undefined]),
  );
  let text = '';
  let before: TextUnit | undefined;
  for (const unit of units.filter((unit) => chosen.has(unit))) {
    const prose = unit.kind === 'sentence' && before?.kind === 'sentence';
    text += (before ? (prose ? ' ' : '\n\n') : '') + unit.text;
    before = unit;
  }
  return text;
}
