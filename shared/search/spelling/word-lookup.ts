/** Finds words in a fixed list that resemble a word, by their deletion keys (see `deletionKeys`). */
import { deletionKeys } from './deletion-keys.ts';

/** Words in lower case and without accents, indexed by their deletion keys. */
export class WordLookup {
  readonly #wordsByKey = new Map<string, string[]>();

  constructor(words: Iterable<string>) {
    for (const word of words)
      for (const key of deletionKeys(word)) {
        const sameKey = this.#wordsByKey.get(key);
        if (sameKey) sameKey.push(word);
        else this.#wordsByKey.set(key, [word]);
      }
  }

  /** Returns the words that have a key in common with the given word. */
  similarWords(word: string): string[] {
    return [...new Set(deletionKeys(word).flatMap((key) => this.#wordsByKey.get(key) ?? []))];
  }
}
