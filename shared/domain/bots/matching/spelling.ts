/**
 * Corrects typing errors in a text: replaces misspelled words with words of a bot's phrases. Only a missing or added
 * letter inside a word, or two exchanged neighbouring letters, count as errors. Replaced letters and different endings
 * usually make another correct word.
 */
import { fold } from '../../../search/fold.ts';
import { type EditWeights, typingErrorCost } from '../../../search/spelling/typing-errors.ts';
import { WordLookup } from '../../../search/spelling/word-lookup.ts';
import { splitWords } from './words.ts';

const MIN_LETTERS = 6;
/** Numbers are never corrected. */
const WORD = /\p{L}+/gu;
/** With these weights, each accepted error costs 1, and any other difference costs more than `MAX_COST`. */
const EDIT_WEIGHTS: EditWeights = {
  exchanged: 1,
  doubled: 1,
  inserted: 1,
  neighbour: 2,
  replaced: 2,
  first: 1,
  last: 1,
};
const MAX_COST = 1;

/** The words of a bot's phrases, as they are written there. */
export class Spelling {
  readonly #words = new Map<string, string>();
  /** The words of at least `MIN_LETTERS` letters, in lower case and without accents. */
  readonly #longerWords: WordLookup;

  constructor(phrases: string[]) {
    for (const word of phrases.flatMap(splitWords)) {
      const folded = fold(word);
      if (!this.#words.has(folded)) this.#words.set(folded, word);
    }
    this.#longerWords = new WordLookup([...this.#words.keys()].filter(({ length }) => length >= MIN_LETTERS));
  }

  /** Corrects a text: replaces each word that may be a misspelling of exactly one known word with the known word. */
  correct(text: string): string {
    return text.normalize('NFC').replace(WORD, (word) => this.#correctWord(word));
  }

  #correctWord(word: string): string {
    const folded = fold(word);
    if (folded.length < MIN_LETTERS || this.#words.has(folded)) return word;
    const similar = this.#longerWords.similarWords(folded);
    const known = similar.filter((each) => typingErrorCost(folded, each, EDIT_WEIGHTS) <= MAX_COST);
    return (known.length === 1 && this.#words.get(known[0] ?? '')) || word;
  }
}
