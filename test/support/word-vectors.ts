import { createHash } from 'node:crypto';

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Adds 1 to, or subtracts 1 from, a few numbers of the vector, chosen by the hash of the word. */
const addWord = (vector: number[], word: string) => {
  const hash = createHash('md5').update(word).digest();
  for (let offset = 0; offset < 12; offset += 3) {
    const index = hash.readUInt16LE(offset) % vector.length;
    vector[index] = (vector[index] ?? 0) + ((hash[offset + 2] ?? 0) % 2 === 0 ? 1 : -1);
  }
};

/**
 * A vector of the words of a text: identical for texts with the same words, similar for texts with many words in
 * common, never zero.
 */
export const wordVector = (text: string, dimension: number): number[] => {
  const vector = Array.from({ length: dimension }, () => 0);
  vector[0] = 0.01;
  for (const word of wordsOf(text)) addWord(vector, word);
  return vector;
};

/** The cosine similarity of two vectors whose norm is 1. */
export const cosine = (a: Iterable<number> = [], b: ArrayLike<number> = []) =>
  [...a].reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
