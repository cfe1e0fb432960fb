import { createHash } from 'node:crypto';

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each word pushes a few numbers up or down, by its hash. */
const addWord = (vector: number[], word: string) => {
  const hash = createHash('md5').update(word).digest();
  for (let at = 0; at < 12; at += 3) {
    const index = hash.readUInt16LE(at) % vector.length;
    vector[index] = (vector[index] ?? 0) + ((hash[at + 2] ?? 0) % 2 === 0 ? 1 : -1);
  }
};

/** A vector made from a text's words: the same for the same words, near for texts that share many; never all zeros. */
export const wordVector = (text: string, dimension: number): number[] => {
  const vector = Array.from({ length: dimension }, () => 0);
  vector[0] = 0.01;
  for (const word of wordsOf(text)) addWord(vector, word);
  return vector;
};

/** The cosine of two vectors of length 1. */
export const cosine = (a: Iterable<number> = [], b: ArrayLike<number> = []) =>
  [...a].reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
