/** Converts a chat model's text to an answer: sanitizes it, finds its sources and verifies its quotations. */
import type { Citation } from '../retrieval/extract-answer.ts';
import { contentWords, hasStemIn, stemsOf } from '../retrieval/question-words.ts';
import type { RetrievedChunk } from '../retrieval/retrieve.ts';
import { NO_ANSWER_MARK } from './prompt.ts';
import { citedNumbers } from './quotations/cited-numbers.ts';
import { type VerifiedQuotation, verifyQuotations } from './quotations/verify-quotations.ts';
import { sanitizeAnswer } from './sanitize-answer.ts';

/** An answer with its sources; `success` is false if the knowledge base does not contain an answer. */
export interface AnswerResult {
  answer: string;
  success: boolean;
  /**
   * Where the answer comes from: the name of the chat model, `faq`, or `extractive` (sentences of chunks). With a chat
   * model configured, `none` if no chunk was found and the question names no model.
   */
  model: string;
  promptTokens: number;
  usedChunks: RetrievedChunk[];
  citations: Citation[];
  /** The quotations in a generated answer. Those that no passage contains have `verified: false`. */
  quotations: VerifiedQuotation[];
  /** The passage numbers, such as `[9]`, that a generated answer cites although no passage has them. */
  unknownCitations: number[];
  /**
   * How likely it is that the passages answer the question, from 0 to 1. Set if chunks were searched for an answer to
   * extract, even if they contain none.
   */
  confidence?: number;
  /** True if the text was written for an earlier, identical request. */
  isCached?: boolean;
}

/** Returned if the knowledge base does not contain an answer, unless the model has said so in its own words. */
const NO_ANSWER_TEXT = 'I could not find an answer to this in the knowledge base.';

/** Returns the result for a question that the knowledge base does not answer. */
export const noAnswerFound = (model: string, promptTokens = 0): AnswerResult => ({
  ...{ answer: NO_ANSWER_TEXT, success: false, model, promptTokens },
  ...{ usedChunks: [], citations: [], quotations: [], unknownCitations: [] },
});

/** Returns an answer that consists of stored text: that of a FAQ, or sentences of chunks. */
export const answerFromStoredText = (
  model: 'extractive' | 'faq',
  fields: Pick<AnswerResult, 'answer' | 'usedChunks' | 'citations'>,
): AnswerResult => ({ success: true, model, promptTokens: 0, quotations: [], unknownCitations: [], ...fields });

const toCitation = ({ source, name }: RetrievedChunk, index: number): Citation => ({
  source_id: index + 1,
  source_name: name,
  source,
});

/** A chunk does not support an answer if it contains less than this share of the answer's words. */
const MIN_SUPPORT = 0.5;
/** Nor does a chunk support the answer if its share is below this fraction of the best chunk's share. */
const MIN_SHARE_OF_BEST = 0.9;

/**
 * Returns the passage numbers of the chunks whose words support an answer. Used if the answer neither cites nor quotes
 * a passage.
 */
const supportingNumbers = (answer: string, chunks: RetrievedChunk[]): number[] => {
  const words = contentWords(answer);
  const support = chunks.map(({ text, headings }) => {
    const stems = stemsOf([...headings, text].join(' '));
    return words.filter((word) => hasStemIn(word, stems)).length / Math.max(1, words.length);
  });
  const minSupport = Math.max(MIN_SUPPORT, MIN_SHARE_OF_BEST * Math.max(0, ...support));
  return support.flatMap((share, index) => (share >= minSupport ? index + 1 : []));
};

/** Returns the numbers of the passages on which an answer is based. */
const sourceNumbers = (answer: string, quotations: VerifiedQuotation[], chunks: RetrievedChunk[]): number[] => {
  const quoted = quotations.flatMap(({ source_id }) => source_id ?? []);
  const cited = [...citedNumbers(answer), ...quoted].filter((number) => number >= 1 && number <= chunks.length);
  return cited.length ? cited : supportingNumbers(answer, chunks);
};

interface GeneratedText {
  text: string;
  question: string;
  model: string;
  promptTokens: number;
}

/** Converts the text of a chat model that has received `chunks` as passages. */
export const toAnswerResult = (
  { text, question, model, promptTokens }: GeneratedText,
  chunks: RetrievedChunk[],
): AnswerResult => {
  const sources = chunks.map(({ source }) => source);
  const answer = sanitizeAnswer(text, sources);
  if (text.includes(NO_ANSWER_MARK) || !answer)
    return { ...noAnswerFound(model, promptTokens), ...(answer ? { answer } : {}) };
  const quotations = verifyQuotations(answer, question, chunks);
  const numbers = new Set(sourceNumbers(answer, quotations, chunks));
  const citations = chunks.map(toCitation).filter(({ source_id }) => numbers.has(source_id));
  const unknownCitations = citedNumbers(answer).filter((number) => number < 1 || number > chunks.length);
  return { answer, success: true, model, promptTokens, usedChunks: chunks, citations, quotations, unknownCitations };
};
