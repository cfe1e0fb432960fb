/**
 * Statistics of a question's words in a namespace, queried from the index: no statistics to maintain, and the same for
 * every engine.
 */
import { chunkIndex, type IndexSpace } from '../../../vectors/index.ts';
import { contentWords } from './question-words.ts';

/**
 * The statistics of one word: the number of chunks that contain it (at most MAX_COUNTED_CHUNKS), the BM25 score of the
 * best one, and the number of chunks in each content.
 */
export interface TermStatistics {
  word: string;
  chunkCount: number;
  score: number;
  chunksByContent: Map<string, number>;
}

/** Above this number of chunks all words count as equally known. */
const MAX_COUNTED_CHUNKS = 20;
/** The best chunks that are examined for a word; 20 would take as long. */
const CHUNKS_EXAMINED = 200;
/** The share of a page's chunks that must contain a word for half of its weight. */
const HALF_SCORE_DENSITY = 0.1;
/** The most words that are queried, the first of a long question. */
export const MAX_QUESTION_WORDS = 24;

/** Returns the statistics of each significant word of a question; costs one small full-text query per word. */
export const readTermStatistics = (
  space: IndexSpace,
  question: string,
  contents?: string[],
): Promise<TermStatistics[]> =>
  Promise.all(
    contentWords(question)
      .slice(0, MAX_QUESTION_WORDS)
      .map(async (word) => {
        const { text } = await chunkIndex().search(space, { text: word, limit: CHUNKS_EXAMINED, contents });
        const chunksByContent = new Map<string, number>();
        for (const { content } of text) chunksByContent.set(content, (chunksByContent.get(content) ?? 0) + 1);
        return {
          word,
          chunkCount: Math.min(text.length, MAX_COUNTED_CHUNKS),
          score: text[0]?.score ?? 0,
          chunksByContent,
        };
      }),
  );

/**
 * Returns the sum of the words' best BM25 scores: the score of a chunk that matched each word as well as the best chunk
 * for it does.
 */
export const idealScore = (words: TermStatistics[]): number => words.reduce((sum, { score }) => sum + score, 0);

/**
 * Returns how much a content is about the words, from 0 to 1. Each word may occur in another chunk; since a long page
 * uses every word somewhere, density counts.
 */
export function coverage(words: TermStatistics[], content: string, chunkCount: number): number {
  const score = words.reduce((sum, word) => {
    const matches = word.chunksByContent.get(content) ?? 0;
    return matches ? sum + (word.score * matches) / (matches + HALF_SCORE_DENSITY * chunkCount) : sum;
  }, 0);
  return score / (idealScore(words) || 1);
}
