import { contentWords } from './question-words.ts';
import type { RetrievedChunk } from './retrieve.ts';
import { preselectQuotes, type QueryContext, quoteCandidatesOf, scoreQuotes } from './select-quote.ts';

/** Maximum number of sentences that are compared for all chunks together. A comparison takes about 5 ms. */
const MAX_SENTENCES = 96;
const MAX_SENTENCES_PER_CHUNK = 4;

/**
 * Returns the score of each chunk's best sentence for a question, from 0 to 1; 0 for a chunk without sentences. Expects
 * the best chunks first: with more than MAX_SENTENCES chunks, the score of the last ones is 0, too.
 */
export const sentenceScores = async (
  question: string,
  chunks: RetrievedChunk[],
  context: QueryContext,
): Promise<number[]> => {
  const words = contentWords(question);
  const limit = Math.max(1, Math.min(MAX_SENTENCES_PER_CHUNK, Math.floor(MAX_SENTENCES / Math.max(1, chunks.length))));
  const sentences = chunks.map((chunk) => preselectQuotes(quoteCandidatesOf(chunk, words), limit));
  const units = sentences
    .flatMap((candidates, index) =>
      candidates.map((unit) => ({ unit, heading: chunks[index]?.headings.at(-1) ?? '', pageIndex: 0 })),
    )
    .slice(0, MAX_SENTENCES);
  if (units.length) await scoreQuotes({ question, rareWords: [], units }, context);
  return sentences.map((candidates) => candidates.reduce((best, { score }) => Math.max(best, score), 0));
};
