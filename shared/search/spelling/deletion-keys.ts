/**
 * Keys that find the words that resemble a misspelled word, without a scan of all words (symmetric delete spelling
 * correction). Two words that differ by one edit, or by one deleted letter each, have a key in common.
 */

/** Keys are formed from the first letters only, so that a long word has few keys. */
const KEYED_LETTERS = 7;

/** Returns the keys of a word: its first letters, and the same letters with any one of them left out. */
export function deletionKeys(word: string): string[] {
  const start = word.slice(0, KEYED_LETTERS);
  const shorter = Array.from(start, (_, index) => start.slice(0, index) + start.slice(index + 1));
  return [...new Set([start, ...shorter])].filter(Boolean);
}
