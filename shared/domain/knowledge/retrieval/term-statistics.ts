/**
 * Statistics of a question's words in a namespace. They are derived from search results, so that no statistics need to
 * be maintained, and all search engines yield the same values.
 */
import { chunkCountOf, chunkIndex, type IndexSpace } from '../../../vectors/index.ts';
import { contentWords } from './question-words.ts';

/**
 * The statistics of one word: the number of chunks that contain it (at most MAX_COUNTED_CHUNKS), their highest BM25
 * score, and their number in each content.
 */
export interface TermStatistics {
  word: string;
  chunkCount: number;
  score: number;
  chunksByContent: ReadonlyMap<string, number>;
}

/** Higher numbers of chunks count as this number: all more frequent words are treated as equally common. */
const MAX_COUNTED_CHUNKS = 20;
/** Number of best chunks that are examined for a word. Examining only MAX_COUNTED_CHUNKS would take just as long. */
const CHUNKS_EXAMINED = 200;
/** The share of a page's chunks that must contain a word for the page to get half of the word's weight. */
const HALF_SCORE_DENSITY = 0.1;
/** Maximum number of words that are queried. Further words of a long question are ignored. */
const MAX_QUESTION_WORDS = 24;

/** Returns the statistics of each significant word of a question, with one small full-text query per word. */
export const readTermStatistics = (
  space: IndexSpace,
  question: string,
  contents?: string[],
): Promise<TermStatistics[]> =>
  Promise.all(
    contentWords(question)
      .slice(0, MAX_QUESTION_WORDS)
      .map(async (word) => {
        const matches = await chunkIndex().countMatches(space, { text: word, limit: CHUNKS_EXAMINED, contents });
        return { word, ...matches, chunkCount: Math.min(chunkCountOf(matches), MAX_COUNTED_CHUNKS) };
      }),
  );

/**
 * Returns the sum of the words' best BM25 scores: the score of a chunk that matched every word as closely as that
 * word's best chunk does.
 */
export const idealScore = (words: TermStatistics[]): number => words.reduce((sum, { score }) => sum + score, 0);

/**
 * Returns how much a content is about the words, from 0 to 1. The words may occur in different chunks. The share of
 * chunks that contain a word matters, because a long page contains almost every word somewhere.
 */
export function coverage(words: TermStatistics[], content: string, chunkCount: number): number {
  const score = words.reduce((sum, word) => {
    const matches = word.chunksByContent.get(content) ?? 0;
    return matches ? sum + (word.score * matches) / (matches + HALF_SCORE_DENSITY * chunkCount) : sum;
  }, 0);
  return score / (idealScore(words) || 1);
}
