/**
 * Verifies the quotations in a generated answer against the passages that the model received. A quotation is verified
 * if a passage, its name or one of its headings contains the words of the quotation in the same order.
 */
import type { RetrievedChunk } from '../../retrieval/retrieve.ts';
import { findQuotations, type Quotation } from './find-quotations.ts';
import { findTokens, type QuotationTokens, quotationTokens, type TextRange, tokenize } from './match-tokens.ts';

/** A quotation in an answer, and its position in the text of a chunk. */
export interface VerifiedQuotation {
  text: string;
  answer_start: number;
  answer_end: number;
  /** False if no passage contains the quotation. */
  verified: boolean;
  /** The number of the passage that contains the quotation, and the id of its chunk. */
  source_id: number | null;
  chunk_id: string | null;
  /** The position in the chunk's text; null if only the name or headings contain the quotation, or no passage does. */
  chunk_start: number | null;
  chunk_end: number | null;
}

/** A passage: a chunk with its number in the prompt, split into tokens. */
interface Passage {
  number: number;
  id: string;
  text: ReturnType<typeof tokenize>;
  titles: ReturnType<typeof tokenize>[];
}

const toPassage = ({ id, text, name, headings }: RetrievedChunk, index: number): Passage => ({
  number: index + 1,
  id,
  text: tokenize(text),
  titles: [name, ...headings].map(tokenize),
});

const findIn = ({ text, titles }: Passage, wanted: QuotationTokens): TextRange | 'title' | undefined =>
  findTokens(text, wanted) ?? (titles.some((title) => findTokens(title, wanted)) ? 'title' : undefined);

const verify = ({ text, start, end, cited }: Quotation, passages: Passage[]): VerifiedQuotation => {
  const wanted = quotationTokens(text);
  const position = { text, answer_start: start, answer_end: end };
  const citedFirst = passages.toSorted((a, b) => Number(cited.includes(b.number)) - Number(cited.includes(a.number)));
  for (const passage of citedFirst) {
    const match = findIn(passage, wanted);
    if (!match) continue;
    const range = match === 'title' ? null : match;
    const chunk = { chunk_id: passage.id, chunk_start: range?.start ?? null, chunk_end: range?.end ?? null };
    return { ...position, verified: true, source_id: passage.number, ...chunk };
  }
  return { ...position, verified: false, source_id: null, chunk_id: null, chunk_start: null, chunk_end: null };
};

/**
 * Returns the quotations in an answer, in the order in which they appear. A quotation from the question is omitted,
 * because it quotes the caller, unless it is cited or verified.
 */
export function verifyQuotations(answer: string, question: string, chunks: RetrievedChunk[]): VerifiedQuotation[] {
  const quotations = findQuotations(answer);
  if (!quotations.length) return [];
  const questionTokens = tokenize(question);
  const passages = chunks.map(toPassage);
  return quotations
    .map((quotation) => ({ quotation, result: verify(quotation, passages) }))
    .filter(
      ({ quotation: { cited, text }, result: { verified } }) =>
        verified || cited.length > 0 || !findTokens(questionTokens, quotationTokens(text)),
    )
    .map(({ result }) => result);
}
