/** Extracts an answer without a language model: the best sentences of the best pages, each with its citation. */
import { contentWords } from './question-words.ts';
import type { RetrievedChunk } from './retrieve.ts';
import {
  joinBestQuotes,
  preselectQuotes,
  type QueryContext,
  type QuoteCandidate,
  quoteCandidatesOf,
  sanitizeQuote,
  scoreQuotes,
} from './select-quote.ts';

/** A source of the answer. The answer cites it as `[source_id]`. */
export interface Citation {
  source_id: number;
  source_name: string;
  source: string;
}

/** The answer, its sources in the order of their numbers, and the chunks that it quotes or names. */
export interface ExtractedAnswer {
  answer: string;
  citations: Citation[];
  usedChunks: RetrievedChunk[];
}

/**
 * Maximum number of pages that an answer cites. The correct page is among the first five pages twice as often as it is
 * the first page. With three more pages, it would be included in another 2 % of the answers.
 */
const MAX_PAGES = 5;
/** A page whose score is lower than the best score by more than this is omitted. */
const MAX_SCORE_GAP = 0.4;
/**
 * Maximum numbers of sentences that are quoted, and that are compared to choose the quotes, on the first page and on
 * each further page. A comparison takes about 5 ms.
 */
const FIRST_PAGE_LIMITS = { quoted: 3, compared: 8 };
const FURTHER_PAGE_LIMITS = { quoted: 1, compared: 3 };
/**
 * A further page is quoted if its best sentence has at least this share of the first page's best score. Otherwise, the
 * answer only names the page.
 */
const MIN_SCORE_SHARE_TO_QUOTE = 0.6;

interface AnswerPage {
  chunk: RetrievedChunk;
  units: QuoteCandidate[];
}

/** Returns the best chunk of each page, best first. */
function bestPages(chunks: RetrievedChunk[]): RetrievedChunk[] {
  const sorted = chunks.toSorted((a, b) => b.score - a.score);
  const pages = [...Map.groupBy(sorted, ({ content }) => content).values()].map((page) => page[0] as RetrievedChunk);
  return pages.filter(({ score }) => score >= (pages[0]?.score ?? 0) - MAX_SCORE_GAP).slice(0, MAX_PAGES);
}

const bestScore = ({ units }: AnswerPage): number => units.reduce((best, { score }) => Math.max(best, score), 0);

/** Appends a citation number. After fenced code, it is on a line of its own, so that it does not break the fence. */
const withCitationNumber = (text: string, number: number): string =>
  `${text}${/`{3,}$/.test(text) ? '\n\n' : ' '}[${number}]`;

/** Returns the text of the answer: quotes, then the names of further pages. */
function answerText(pages: AnswerPage[]): string {
  const minScore = MIN_SCORE_SHARE_TO_QUOTE * (pages[0] ? bestScore(pages[0]) : 0);
  const lines: string[] = [];
  const names: string[] = [];
  for (const [index, page] of pages.entries()) {
    const { quoted } = index ? FURTHER_PAGE_LIMITS : FIRST_PAGE_LIMITS;
    if (index === 0 || bestScore(page) >= minScore)
      lines.push(withCitationNumber(joinBestQuotes(page.units, quoted), index + 1));
    else names.push(withCitationNumber(sanitizeQuote(page.chunk.name, page.chunk.source), index + 1));
  }
  return [...lines, names.join(' · ')].filter(Boolean).join('\n\n');
}

/**
 * Extracts an answer from chunks. The answer is empty if nothing in the chunks can be quoted. Takes about 100 ms with
 * the local model.
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
  const compared = pages.flatMap(({ chunk, units }, index) =>
    preselectQuotes(units, (index ? FURTHER_PAGE_LIMITS : FIRST_PAGE_LIMITS).compared).map((unit) => ({
      unit,
      heading: chunk.headings.at(-1) ?? '',
    })),
  );
  await scoreQuotes(question, compared, context);
  const usedChunks = pages.map(({ chunk }) => chunk);
  const citations = usedChunks.map(({ name, source }, index) => ({ source_id: index + 1, source_name: name, source }));
  return { answer: answerText(pages), citations, usedChunks };
}
