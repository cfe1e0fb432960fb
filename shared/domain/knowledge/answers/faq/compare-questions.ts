/**
 * Compares two questions word by word. Articles, pronouns, auxiliary verbs and polite words are ignored. All other
 * words, such as question words, negations, prepositions and numbers, must have the same stem; a few may be misspelled.
 */
import { distance } from 'fastest-levenshtein';
import { removeAccents } from '../../../../search/fold.ts';
import { stem } from '../../../../vectors/sparse-vector.ts';

/** English words that can be left out of a question without changing its meaning. */
const FILLER_WORDS = new Set(
  `a an the i my me mine you your yours we our us am is are was were be been do does did can could would will please hi
  hello hey thanks thank there it its so just also`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}]+[+#]*/gu;
/** Typing errors are tolerated only in these alphabets. In other scripts, one character may be a word or a syllable. */
const ALPHABETIC = /^(?:\p{Script=Latin}+|\p{Script=Cyrillic}+|\p{Script=Greek}+)$/u;
const MIN_LETTERS = { transposition: 4, oneError: 5, twoErrors: 9 };
const MAX_MISSPELLED_WORDS = 2;

const CONTRACTIONS: [RegExp, string][] = [
  [/[’‘`]/g, "'"],
  [/\bcan't\b|\bcannot\b/g, 'not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/'(?:s|m|re|ve|ll|d)\b/g, ''],
];

/** Returns the words that are compared, in order, in lower case and without accents. */
const significantWords = (question: string): string[] => {
  const folded = removeAccents(question).toLowerCase();
  const text = CONTRACTIONS.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), folded);
  const words = text.match(WORD) ?? [];
  const significant = words.filter((word) => !FILLER_WORDS.has(word));
  return significant.length ? significant : words;
};

const isTransposition = (one: string, other: string): boolean => {
  const first = one.split('').findIndex((letter, index) => letter !== other[index]);
  const swapped = one.slice(0, first) + (one[first + 1] ?? '') + one[first] + one.slice(first + 2);
  return first >= 0 && one.length === other.length && swapped === other;
};

const isMisspelling = (word: string, other: string): boolean => {
  if (!ALPHABETIC.test(word) || !ALPHABETIC.test(other)) return false;
  const letters = Math.min(word.length, other.length);
  if (letters >= MIN_LETTERS.transposition && isTransposition(word, other)) return true;
  const maxErrors = letters >= MIN_LETTERS.twoErrors ? 2 : letters >= MIN_LETTERS.oneError ? 1 : 0;
  return maxErrors > 0 && distance(word, other) <= maxErrors;
};

/**
 * Returns an empty list if two questions are the same, and null if they are different. If they are the same except for
 * words of `question` that may be misspelled, returns these words.
 */
export function misspelledWords(question: string, other: string): string[] | null {
  const [words, others] = [significantWords(question), significantWords(other)];
  if (!words.length) return null;
  if (words.join('') === others.join('')) return [];
  if (words.length !== others.length) return null;
  const differing = words.flatMap((word, index) => {
    const expected = others[index] as string;
    return word === expected || stem(word) === stem(expected) ? [] : [{ word, expected }];
  });
  const areMisspelled = differing.every(({ word, expected }) => isMisspelling(word, expected));
  return areMisspelled && differing.length <= MAX_MISSPELLED_WORDS ? differing.map(({ word }) => word) : null;
}
