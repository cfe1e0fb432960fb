/**
 * Keys by which a word with a typing error finds the correct word without a scan (symmetric delete spelling
 * correction). Two words that differ by one edit, or by one deleted letter each, have a key in common.
 */

/** Only the first letters have keys, so that a long word has few keys. */
const KEYED_LETTERS = 7;

/** Returns the keys of a word: its first letters, complete and without one letter. */
export function deletionKeys(word: string): string[] {
  const start = word.slice(0, KEYED_LETTERS);
  const shorter = Array.from(start, (_, index) => start.slice(0, index) + start.slice(index + 1));
  return [...new Set([start, ...shorter])].filter(Boolean);
}
