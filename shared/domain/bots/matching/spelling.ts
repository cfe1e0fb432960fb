/**
 * Corrects typing errors in a text with the words of a bot's phrases. Only a missing or added letter inside a word, or
 * two exchanged neighbours, count as errors. Replaced letters and different endings usually make another correct word.
 */
import { fold, splitWords } from './words.ts';

const MIN_LETTERS = 6;
/** Numbers are never corrected. */
const WORD = /\p{L}+/gu;

/** Returns the number of characters with which both words begin. */
const commonStart = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
};

const isExchange = (one: string, other: string): boolean => {
  const start = commonStart(one, other);
  return (
    one[start] === other[start + 1] &&
    one[start + 1] === other[start] &&
    one.slice(start + 2) === other.slice(start + 2)
  );
};

/** Whether the longer word has one additional letter, which is not its last one. */
const isInsertion = (shorter: string, longer: string): boolean => {
  const start = commonStart(shorter, longer);
  return start < shorter.length && shorter.slice(start) === longer.slice(start + 1);
};

/** Whether one word may be a typing error of the other, which begins with the same letter. */
const isTypingError = (one: string, other: string): boolean => {
  if (one.length === other.length) return isExchange(one, other);
  if (one.length + 1 === other.length) return isInsertion(one, other);
  return one.length === other.length + 1 && isInsertion(other, one);
};

/** The words of a bot's phrases, as they are written there. */
export class Spelling {
  readonly #words = new Map<string, string>();
  /** The longer words, without accents and in lower case, by their first letter. */
  readonly #byLetter: Map<string, string[]>;

  constructor(phrases: string[]) {
    for (const word of phrases.flatMap(splitWords)) {
      const folded = fold(word);
      if (!this.#words.has(folded)) this.#words.set(folded, word);
    }
    const longer = [...this.#words.keys()].filter(({ length }) => length >= MIN_LETTERS);
    this.#byLetter = Map.groupBy(longer, ([letter = '']) => letter);
  }

  /** Returns the text in which each word that may be a typing error of exactly one known word is replaced by it. */
  correct(text: string): string {
    return text.normalize('NFC').replace(WORD, (word) => this.#correctWord(word));
  }

  #correctWord(word: string): string {
    const folded = fold(word);
    if (folded.length < MIN_LETTERS || this.#words.has(folded)) return word;
    const known = (this.#byLetter.get(folded[0] ?? '') ?? []).filter((each) => isTypingError(folded, each));
    return (known.length === 1 && this.#words.get(known[0] ?? '')) || word;
  }
}
