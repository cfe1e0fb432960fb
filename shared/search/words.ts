/**
 * The words of searches and of searched texts, in lower case and without accents. They are not stemmed and include stop
 * words, because the texts are in many languages.
 */
import { removeAccents, UNSPACED_SCRIPT } from './fold.ts';

/** A word of a text with its position, and the folded words by which it is found. */
interface WordMatch {
  start: number;
  value: string;
  words: string[];
}

/** Maximum length of a word; the rest is cut off. */
const MAX_WORD_CHARACTERS = 64;
/** Maximum number of distinct words per record; further words are not found. */
const MAX_KEYWORDS = 1000;

/**
 * An email address is one word. Its parts have a maximum length, so that matching a text with many dots stays fast.
 */
const WORD = /[\p{L}\p{M}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64})+|[\p{L}\p{M}\p{N}_]+/gu;
const ADDRESS_PART = /[\p{L}\p{M}\p{N}_]+/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const foldWord = (word: string): string =>
  (ASCII_ONLY.test(word) ? word : removeAccents(word)).toLowerCase().slice(0, MAX_WORD_CHARACTERS).toWellFormed();

const addressParts = (address: string): string[] => (address.match(ADDRESS_PART) ?? []).map(foldWord);

/** Yields the words of a text in order, with their positions. */
export function* segmentWords(text: string): Generator<WordMatch> {
  for (const { 0: value, index } of text.matchAll(WORD)) {
    if (value.includes('@')) yield { start: index, value, words: [foldWord(value), ...addressParts(value)] };
    else if (!UNSPACED_SCRIPT.test(value)) yield { start: index, value, words: [foldWord(value)] };
    else
      for (const { segment, index: offset } of segmenter.segment(value))
        yield { start: index + offset, value: segment, words: [foldWord(segment)] };
  }
}

type OptionalText = string | null | undefined;

/** Returns the distinct words by which texts are found. An email address is also found by its parts. */
export const extractKeywords = (...texts: OptionalText[]): string[] => {
  const keywords = new Set<string>();
  for (const text of texts)
    for (const { words } of segmentWords(text ?? ''))
      for (const word of words) if (keywords.size < MAX_KEYWORDS) keywords.add(word);
  keywords.delete('');
  return [...keywords];
};

/** Returns the distinct words of a search; an email address is one word. */
export const queryTerms = (text: string): string[] => [
  ...new Set([...segmentWords(text)].flatMap(({ words: [word] }) => word || [])),
];
