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

/** The pairs of an encoded vector, in the order of their indexes. */
interface Pairs {
  indexes: Int32Array;
  values: Float64Array;
  length: number;
}

const INITIAL_PAIRS = 4096;

/** Every vector is decoded into the same arrays, because allocating arrays takes longer than decoding. */
const pairs: Pairs = { indexes: new Int32Array(INITIAL_PAIRS), values: new Float64Array(INITIAL_PAIRS), length: 0 };

const reserve = (length: number): void => {
  if (pairs.indexes.length >= length) return;
  pairs.indexes = new Int32Array(2 * length);
  pairs.values = new Float64Array(2 * length);
};

/** Decodes a vector, whose indexes are 32-bit integers. The result is valid until the next vector is decoded. */
const decodePairs = (bytes: Uint8Array): Pairs => {
  reserve(Math.ceil(bytes.length / 2));
  const { indexes, values } = pairs;
  let [position, index, length] = [0, 0, 0];
  while (position < bytes.length) {
    for (let part = 0; part < 2; part++) {
      let byte = bytes[position++] as number;
      let number = byte;
      if (byte >= CONTINUES) {
        number -= CONTINUES;
        for (let factor = RADIX; byte >= CONTINUES; factor *= RADIX) {
          byte = bytes[position++] ?? 0;
          number += (byte >= CONTINUES ? byte - CONTINUES : byte) * factor;
        }
      }
      if (part) values[length++] = toSigned(number);
      else indexes[length] = index += number;
    }
  }
  pairs.length = length;
  return pairs;
};

/** Calls `visit` with each index and value of an encoded vector, in index order. `visit` must not decode vectors. */
export const visitVector = (bytes: Uint8Array, visit: (index: number, value: number) => void): void => {
  const { indexes, values, length } = decodePairs(bytes);
  for (let each = 0; each < length; each++) visit(indexes[each] as number, values[each] as number);
};

/**
 * Sums the values of consecutive ranges of indexes, of which `ends` lists the exclusive ends in ascending order. Calls
 * `visit` with the first index that has a value, and the sum, of each range that has values. Faster than `visitVector`,
 * because it makes one call per range. `visit` must not decode vectors.
 */
export const sumRanges = (bytes: Uint8Array, ends: number[], visit: (index: number, sum: number) => void): void => {
  const { indexes, values, length } = decodePairs(bytes);
  for (let [each, range] = [0, 0]; each < length; ) {
    const first = indexes[each] as number;
    while ((ends[range] as number) <= first) range += 1;
    const end = ends[range] as number;
    let sum = 0;
    while (each < length && (indexes[each] as number) < end) sum += values[each++] as number;
    visit(first, sum);
  }
};

/**
 * Adds values to arrays. The vector is divided into sections of `size` indexes; `arrayOf` returns the array of a
 * section, or null if the section is omitted. The index in the array is that in the section.
 */
export const addSections = (bytes: Uint8Array, size: number, arrayOf: (section: number) => Int32Array | null): void => {
  const { indexes, values, length } = decodePairs(bytes);
  for (let each = 0; each < length; ) {
    const section = Math.floor((indexes[each] as number) / size);
    const [start, end] = [section * size, (section + 1) * size];
    const sums = arrayOf(section);
    for (; each < length && (indexes[each] as number) < end; each++) {
      const index = (indexes[each] as number) - start;
      if (sums) sums[index] = (sums[index] as number) + (values[each] as number);
    }
  }
};

/** Decodes a vector. */
export const decodeVector = (bytes: Uint8Array): SparseVector => {
  const vector: SparseVector = new Map();
  visitVector(bytes, (index, value) => vector.set(index, value));
  return vector;
};
