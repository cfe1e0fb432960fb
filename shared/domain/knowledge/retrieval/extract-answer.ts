/** Extracts an answer without a language model: the best passages of the best pages, each page with its citation. */
import { type Answerability, judgeAnswerability } from './answerability.ts';
import { contentWords } from './question-words.ts';
import type { RetrievalResult, RetrievedChunk } from './retrieve.ts';
import {
  bestPassage,
  type ComparedUnit,
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

/**
 * The answer, its sources in the order of their numbers, the chunks that it quotes, and the verdict on whether they
 * answer the question.
 */
export interface ExtractedAnswer {
  answer: string;
  citations: Citation[];
  usedChunks: RetrievedChunk[];
  answerability: Answerability;
}

/** Maximum numbers of pages that are compared, and of pages that are quoted. */
const COMPARED_PAGES = 5;
const MAX_QUOTED_PAGES = 3;
/**
 * Maximum numbers of chunks and sentences that are compared, and of characters that are quoted, on the first page and
 * on each further page. A comparison takes about 5 ms.
 */
const FIRST_PAGE_LIMITS = { chunks: 3, compared: 12, characters: 800 };
const FURTHER_PAGE_LIMITS = { chunks: 2, compared: 6, characters: 400 };
/** Another passage of a page is quoted only if at least this many characters are left for it. */
const MIN_PASSAGE_CHARACTERS = 100;
/** How much the score of a page's best sentence counts, relative to the score of its best chunk. */
export const SENTENCE_WEIGHT = 0.8;
/**
 * A page is quoted in addition to the best page if its score is lower by at most MAX_SCORE_GAP, and if the score of its
 * best sentence is at least MIN_SENTENCE_SHARE times that of the best page. With a larger gap, more answers cite a
 * correct page, and a smaller share of the cited pages is correct (test/bench/sites.bench.ts).
 */
const MAX_SCORE_GAP = 0.12;
const MIN_SENTENCE_SHARE = 0.85;

interface PageChunk {
  chunk: RetrievedChunk;
  units: QuoteCandidate[];
}

/** The chunks of a page that are compared, best first. Each has at least one quotable unit. */
type AnswerPage = [PageChunk, ...PageChunk[]];

const limitsOf = (index: number) => (index ? FURTHER_PAGE_LIMITS : FIRST_PAGE_LIMITS);

/** Returns the pages of the best chunks, best first, each with its own best chunks. */
function bestPages({ chunks, rankedChunks }: RetrievalResult, words: string[]): AnswerPage[] {
  const best = chunks.toSorted((a, b) => b.score - a.score);
  const pages = [...Map.groupBy(best, ({ content }) => content).values()].slice(0, COMPARED_PAGES);
  return pages.flatMap((page, index): AnswerPage[] => {
    const others = rankedChunks.filter(({ id, content }) => content === page[0]?.content && id !== page[0]?.id);
    const [first, ...rest] = [...page.slice(0, 1), ...others]
      .slice(0, limitsOf(index).chunks)
      .map((chunk) => ({ chunk, units: quoteCandidatesOf(chunk, words) }))
      .filter(({ units }) => units.length > 0);
    return first ? [[first, ...rest]] : [];
  });
}

/** Returns the sentences of a page that contain the most words of the question. */
const preselectUnits = (page: AnswerPage, pageIndex: number): ComparedUnit[] => {
  const chunkOf = new Map(page.flatMap(({ chunk, units }) => units.map((unit) => [unit, chunk])));
  return preselectQuotes([...chunkOf.keys()], limitsOf(pageIndex).compared).map((unit) => ({
    unit,
    heading: chunkOf.get(unit)?.headings.at(-1) ?? '',
    pageIndex,
  }));
};

const bestSentenceScore = (page: AnswerPage): number =>
  page.reduce((best, { units }) => units.reduce((max, { score }) => Math.max(max, score), best), 0);

const pageScore = (page: AnswerPage): number => page[0].chunk.score + SENTENCE_WEIGHT * bestSentenceScore(page);

/** Returns the pages to quote, best first. */
function selectPages(pages: AnswerPage[]): AnswerPage[] {
  const [best, ...others] = pages.toSorted((a, b) => pageScore(b) - pageScore(a));
  if (!best) return [];
  const minScore = pageScore(best) - MAX_SCORE_GAP;
  const minSentenceScore = MIN_SENTENCE_SHARE * bestSentenceScore(best);
  const isGood = (page: AnswerPage) => pageScore(page) >= minScore && bestSentenceScore(page) >= minSentenceScore;
  return [best, ...others.filter(isGood)].slice(0, MAX_QUOTED_PAGES);
}

/** Appends a citation number. After fenced code, it is on a line of its own, so that it does not break the fence. */
const withCitationNumber = (text: string, number: number): string =>
  `${text}${/`{3,}$/.test(text) ? '\n\n' : ' '}[${number}]`;

interface PageQuote {
  text: string;
  usedChunks: RetrievedChunk[];
}

/** Quotes the best passage of each chunk of a page, best chunk first, as far as the limit of characters permits. */
const quotePage = (page: AnswerPage, index: number): PageQuote => {
  let left = limitsOf(index).characters;
  const passages: string[] = [];
  const usedChunks: RetrievedChunk[] = [];
  for (const { chunk, units } of page) {
    if (passages.length > 0 && left < MIN_PASSAGE_CHARACTERS) break;
    const passage = bestPassage(units, left);
    if (passages.length > 0 && passage.length > left) continue;
    passages.push(passage);
    usedChunks.push(chunk);
    left -= passage.length;
  }
  return { text: withCitationNumber(passages.join('\n\n'), index + 1), usedChunks };
};

const toCitation = ({ name, source }: RetrievedChunk, index: number): Citation => ({
  source_id: index + 1,
  source_name: name,
  source,
});

/**
 * Extracts an answer from the chunks of a search: passages of the page that answers the question best, and of other
 * pages if they are about as good. The answer is empty if nothing in the chunks can be quoted. Takes about 150 ms with
 * the local model.
 */
export async function extractAnswer(retrieval: RetrievalResult, context: QueryContext): Promise<ExtractedAnswer> {
  const { question, evidence } = retrieval;
  const pages = bestPages(retrieval, contentWords(question));
  const units = pages.flatMap(preselectUnits);
  const sentences = await scoreQuotes({ question, rareWords: evidence.rareWords, units }, context);
  const quotes = selectPages(pages).map(quotePage);
  return {
    answer: quotes.map(({ text }) => text).join('\n\n'),
    citations: quotes.map(({ usedChunks }, index) => toCitation(usedChunks[0] as RetrievedChunk, index)),
    usedChunks: quotes.flatMap(({ usedChunks }) => usedChunks),
    answerability: judgeAnswerability(evidence, sentences),
  };
}
