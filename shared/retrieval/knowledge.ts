/** How well a namespace knows the words of a question, asked of its index: no statistics to keep, the same in every engine. */
import { chunkIndex, type Space } from '../vectors/index.ts';
import { contentWords } from './words.ts';

/** One word: in how many passages it stands, counted up to `COUNTED`, and the BM25 score of the best one. */
export interface KnownWord {
  word: string;
  passages: number;
  score: number;
}

/** A word in this many passages is as known as one in all. */
const COUNTED = 20;
/** Words asked about, the first of a long question. */
const MOST_WORDS = 24;

/** What a namespace has on each content word of a question; costs one small full-text query a word. */
export const knownWords = (space: Space, question: string, contents?: string[]): Promise<KnownWord[]> =>
  Promise.all(
    contentWords(question)
      .slice(0, MOST_WORDS)
      .map(async (word) => {
        const { text } = await chunkIndex().search(space, { text: word, limit: COUNTED, contents });
        return { word, passages: text.length, score: text[0]?.score ?? 0 };
      }),
  );

/** The BM25 score of a passage that would match every known word as well as the best passage for each does. */
export const idealScore = (words: KnownWord[]): number => words.reduce((sum, { score }) => sum + score, 0);
