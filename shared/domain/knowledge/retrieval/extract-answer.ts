/** Extracts an answer without a language model: the best passages of the best pages, each with its citation. */
import { contentWords } from './question-words.ts';
import type { RetrievedChunk } from './retrieve.ts';
import {
  bestPassage,
  preselectQuotes,
  type QueryContext,
  type QuoteCandidate,
  quoteCandidatesOf,
  scoreQuotes,
} from './select-quote.ts';

/** A source of the answer. The answer cites it as `[source_id]`. */
export interface Citation {
  source_id: number;
  source_name: string;
  source: string;
}

/** The answer, its sources in the order of their numbers, and the chunks that it quotes. */
export interface ExtractedAnswer {
  answer: string;
  citations: Citation[];
  usedChunks: RetrievedChunk[];
}

/** Maximum number of pages that are compared, and of pages that are quoted. */
const COMPARED_PAGES = 5;
const MAX_QUOTES = 3;
/**
 * Maximum numbers of sentences that are compared, and of characters that are quoted, on the first page and on each
 * further page. A comparison takes about 5 ms.
 */
const FIRST_PAGE_LIMITS = { compared: 10, characters: 600 };
const FURTHER_PAGE_LIMITS = { compared: 6, characters: 300 };
/** The weight of a page's best sentence, relative to the score of its chunk. */
const SENTENCE_WEIGHT = 0.5;
/** A page is quoted unless it scores lower than the best page by more than this. */
const MAX_SCORE_GAP = 0.1;

interface AnswerPage {
  chunk: RetrievedChunk;
  units: QuoteCandidate[];
}

/** Returns the best chunk of each page, best first. */
function bestPages(chunks: RetrievedChunk[]): RetrievedChunk[] {
  const sorted = chunks.toSorted((a, b) => b.score - a.score);
  const pages = [...Map.groupBy(sorted, ({ content }) => content).values()];
  return pages.map((page) => page[0] as RetrievedChunk).slice(0, COMPARED_PAGES);
}

/** Scores the sentences of the pages that are most likely to answer the question. */
const comparePages = (question: string, pages: AnswerPage[], context: QueryContext): Promise<void> => {
  const compared = pages.flatMap(({ chunk, units }, index) =>
    preselectQuotes(units, (index ? FURTHER_PAGE_LIMITS : FIRST_PAGE_LIMITS).compared).map((unit) => ({
      unit,
      heading: chunk.headings.at(-1) ?? '',
    })),
  );
  return scoreQuotes(question, compared, context);
};

const pageScore = ({ chunk, units }: AnswerPage): number =>
  chunk.score + SENTENCE_WEIGHT * units.reduce((best, { score }) => Math.max(best, score), 0);

/** Returns the pages to quote, best first. */
function selectPages(pages: AnswerPage[]): AnswerPage[] {
  const scored = pages.map((page) => ({ page, score: pageScore(page) })).toSorted((a, b) => b.score - a.score);
  const minScore = (scored[0]?.score ?? 0) - MAX_SCORE_GAP;
  return scored
    .filter(({ score }) => score >= minScore)
    .slice(0, MAX_QUOTES)
    .map(({ page }) => page);
}

/** Appends a citation number. After fenced code, it is on a line of its own, so that it does not break the fence. */
const withCitationNumber = (text: string, number: number): string =>
  `${text}${/`{3,}$/.test(text) ? '\n\n' : ' '}[${number}]`;

const quoteOf = ({ units }: AnswerPage, index: number): string => {
  const { characters } = index ? FURTHER_PAGE_LIMITS : FIRST_PAGE_LIMITS;
  return withCitationNumber(bestPassage(units, characters), index + 1);
};

/**
 * Extracts an answer from chunks: the passage that answers the question best, and passages of other pages that are
 * about as good. The answer is empty if nothing in the chunks can be quoted. Takes about 150 ms with the local model.
 */
export async function extractAnswer(
  question: string,
  chunks: RetrievedChunk[],
  context: QueryContext,
): Promise<ExtractedAnswer> {
  const words = contentWords(question);
  const pages = bestPages(chunks)
    .map((chunk) => ({ chunk, units: quoteCandidatesOf(chunk, words) }))
    .filter(({ units }) => units.length > 0);
  await comparePages(question, pages, context);
  const quoted = selectPages(pages);
  const usedChunks = quoted.map(({ chunk }) => chunk);
  const citations = usedChunks.map(({ name, source }, index) => ({ source_id: index + 1, source_name: name, source }));
  return { answer: quoted.map(quoteOf).join('\n\n'), citations, usedChunks };
}
