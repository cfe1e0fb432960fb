/**
 * Encodes vectors of integers that are mostly zero. Each nonzero value is a pair: the distance to the previous index,
 * and the value. Both numbers have a variable length, with seven bits per byte. A full day of small counts takes 192
 * bytes.
 */

const CONTINUES = 0x80;
const RADIX = 0x80;

/** The nonzero values of a vector, by index. */
export type SparseVector = Map<number, number>;

const writeNumber = (bytes: number[], number: number): void => {
  let rest = number;
  while (rest >= RADIX) {
    bytes.push((rest % RADIX) + CONTINUES);
    rest = Math.floor(rest / RADIX);
  }
  bytes.push(rest);
};

/** Zigzag encoding: interleaves positive and negative values, so that values near zero are short. */
const toUnsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const toSigned = (code: number): number => (code % 2 ? -(code + 1) / 2 : code / 2);

/** Encodes a vector; returns null if all values are zero. */
export const encodeVector = (vector: SparseVector): Buffer | null => {
  const bytes: number[] = [];
  let previous = 0;
  for (const [index, value] of [...vector].toSorted(([one], [other]) => one - other)) {
    if (value === 0) continue;
    writeNumber(bytes, index - previous);
    writeNumber(bytes, toUnsigned(value));
    previous = index;
  }
  return bytes.length ? Buffer.from(bytes) : null;
};

/** Calls `visit` with each index and value of an encoded vector, in index order. */
export const visitVector = (bytes: Uint8Array, visit: (index: number, value: number) => void): void => {
  let position = 0;
  const readNumber = (): number => {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = bytes[position++] ?? 0;
      if (byte < CONTINUES) return number + byte * factor;
      number += (byte - CONTINUES) * factor;
      factor *= RADIX;
    }
  };
  for (let index = 0; position < bytes.length; ) {
    index += readNumber();
    visit(index, toSigned(readNumber()));
  }
};

/** Decodes a vector. */
export const decodeVector = (bytes: Uint8Array): SparseVector => {
  const vector: SparseVector = new Map();
  visitVector(bytes, (index, value) => vector.set(index, value));
  return vector;
};
