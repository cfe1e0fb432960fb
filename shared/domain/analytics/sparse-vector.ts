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

/** Reads the numbers of an encoded vector one after the other. */
class Reader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  next(): number {
    const first = this.#bytes[this.#position++] as number;
    return first < CONTINUES ? first : this.#rest(first - CONTINUES);
  }

  #rest(low: number): number {
    let [number, factor] = [low, RADIX];
    for (;;) {
      const byte = this.#bytes[this.#position++] ?? 0;
      if (byte < CONTINUES) return number + byte * factor;
      number += (byte - CONTINUES) * factor;
      factor *= RADIX;
    }
  }
}

/** Calls `visit` with each index and value of an encoded vector, in index order. */
export const visitVector = (bytes: Uint8Array, visit: (index: number, value: number) => void): void => {
  const reader = new Reader(bytes);
  for (let index = 0; !reader.atEnd; ) {
    index += reader.next();
    visit(index, toSigned(reader.next()));
  }
};

/**
 * Sums the values of consecutive ranges of indexes, of which `ends` lists the exclusive ends in ascending order. Calls
 * `visit` with the first index that has a value, and the sum, of each range that has values. Faster than `visitVector`,
 * because it makes one call per range.
 */
export const sumRanges = (bytes: Uint8Array, ends: number[], visit: (index: number, sum: number) => void): void => {
  const reader = new Reader(bytes);
  let [range, first, sum] = [0, -1, 0];
  for (let index = 0; !reader.atEnd; ) {
    index += reader.next();
    if (index >= (ends[range] as number)) {
      if (first >= 0) visit(first, sum);
      first = -1;
      sum = 0;
      while (index >= (ends[range] as number)) range += 1;
    }
    if (first < 0) first = index;
    sum += toSigned(reader.next());
  }
  if (first >= 0) visit(first, sum);
};

/** Adds the values of an encoded vector to an array, at their indexes. */
export const addVector = (bytes: Uint8Array, sums: Float64Array): void => {
  const reader = new Reader(bytes);
  for (let index = 0; !reader.atEnd; ) {
    index += reader.next();
    sums[index] = (sums[index] as number) + toSigned(reader.next());
  }
};

/** Decodes a vector. */
export const decodeVector = (bytes: Uint8Array): SparseVector => {
  const vector: SparseVector = new Map();
  visitVector(bytes, (index, value) => vector.set(index, value));
  return vector;
};
