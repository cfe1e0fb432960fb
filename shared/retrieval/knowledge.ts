/** How well a namespace knows the words of a question, asked of its index: no statistics to keep, the same in every engine. */
import { chunkIndex, type Space } from '../vectors/index.ts';
import { contentWords } from './words.ts';

/**
 * One word: in how many passages it stands, counted up to `COUNTED`, the BM25 score of the best one, and in how many
 * passages of each content.
 */
export interface KnownWord {
  word: string;
  passages: number;
  score: number;
  within: Map<string, number>;
}

/** A word in this many passages is as known as one in all. */
const COUNTED = 20;
/** Passages with a word that are looked at, the best of them; asking for 20 takes as long. */
const LOOKED_AT = 200;
/** A word in this share of a page's passages counts half of the most it could. */
const DENSE = 0.1;
/** Words asked about, the first of a long question. */
export const MOST_WORDS = 24;

/** What a namespace has on each content word of a question; costs one small full-text query a word. */
export const knownWords = (space: Space, question: string, contents?: string[]): Promise<KnownWord[]> =>
  Promise.all(
    contentWords(question)
      .slice(0, MOST_WORDS)
      .map(async (word) => {
        const { text } = await chunkIndex().search(space, { text: word, limit: LOOKED_AT, contents });
        const within = new Map<string, number>();
        for (const { content } of text) within.set(content, (within.get(content) ?? 0) + 1);
        return { word, passages: Math.min(text.length, COUNTED), score: text[0]?.score ?? 0, within };
      }),
  );

/** The BM25 score of a passage that would match every known word as well as the best passage for each does. */
export const idealScore = (words: KnownWord[]): number => words.reduce((sum, { score }) => sum + score, 0);

/**
 * How much a content of so many passages is about the words, from 0 to 1: a page may use each of them in another
 * passage, and a long page uses every word somewhere.
 */
export function aboutness(words: KnownWord[], content: string, passages: number): number {
  const score = words.reduce((sum, word) => {
    const found = word.within.get(content) ?? 0;
    return found ? sum + (word.score * found) / (found + DENSE * passages) : sum;
  }, 0);
  return score / (idealScore(words) || 1);
}
