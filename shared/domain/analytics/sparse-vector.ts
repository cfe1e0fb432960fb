/**
 * Encodes vectors of integers, in the shorter of two forms. If most values are zero, each nonzero value is a pair: the
 * distance to the previous index, and the value. Both numbers have a variable length, with seven bits per byte.
 * Otherwise, small counts take one byte per index, so that a dense vector is short and decoded without branches.
 */

/** A vector with one byte per index begins with this pair, which would be a value of zero. */
const BYTES_MARKER = [0, 0];
const MAX_BYTE = 255;
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

type Pair = [index: number, value: number];

const encodePairs = (pairs: Pair[]): number[] => {
  const bytes: number[] = [];
  let previous = 0;
  for (const [index, value] of pairs) {
    writeNumber(bytes, index - previous);
    writeNumber(bytes, toUnsigned(value));
    previous = index;
  }
  return bytes;
};

/** Encodes one byte per index from the first nonzero value to the last. Every value must be from 0 to 255. */
const encodeBytes = (pairs: Pair[]): number[] => {
  const first = (pairs[0] as Pair)[0];
  const bytes = [...BYTES_MARKER];
  writeNumber(bytes, first);
  const start = bytes.length;
  for (const [index, value] of pairs) {
    while (bytes.length < start + index - first) bytes.push(0);
    bytes.push(value);
  }
  return bytes;
};

const fitsBytes = (pairs: Pair[], maxLength: number): boolean =>
  (pairs.at(-1) as Pair)[0] - (pairs[0] as Pair)[0] < maxLength &&
  pairs.every(([, value]) => value > 0 && value <= MAX_BYTE);

/** Encodes a vector, in the shorter of the two forms; returns null if all values are zero. */
export const encodeVector = (vector: SparseVector): Buffer | null => {
  const pairs = [...vector].filter(([, value]) => value !== 0).toSorted(([one], [other]) => one - other);
  if (!pairs.length) return null;
  const encoded = encodePairs(pairs);
  if (!fitsBytes(pairs, encoded.length)) return Buffer.from(encoded);
  const dense = encodeBytes(pairs);
  return Buffer.from(dense.length < encoded.length ? dense : encoded);
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

const usesBytes = (bytes: Uint8Array): boolean => bytes[0] === BYTES_MARKER[0] && bytes[1] === BYTES_MARKER[1];

/** Returns the first index of a vector with one byte per index, and the position of its value. */
const readStart = (bytes: Uint8Array): { first: number; start: number } => {
  let [first, position] = [0, BYTES_MARKER.length];
  for (let factor = 1; ; factor *= RADIX) {
    const byte = bytes[position++] ?? 0;
    first += (byte % RADIX) * factor;
    if (byte < CONTINUES) return { first, start: position };
  }
};

const decodeBytes = (bytes: Uint8Array): Pairs => {
  const { first, start } = readStart(bytes);
  reserve(bytes.length);
  const { indexes, values } = pairs;
  let length = 0;
  for (let position = start; position < bytes.length; position++) {
    const value = bytes[position] as number;
    if (!value) continue;
    indexes[length] = first + position - start;
    values[length++] = value;
  }
  pairs.length = length;
  return pairs;
};

/** Decodes a vector, whose indexes are 32-bit integers. The result is valid until the next vector is decoded. */
const decodePairs = (bytes: Uint8Array): Pairs => {
  if (usesBytes(bytes)) return decodeBytes(bytes);
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

/** Adds the values of a vector to an array. */
export const addVector = (bytes: Uint8Array, sums: Int32Array): void => {
  if (usesBytes(bytes)) {
    const { first, start } = readStart(bytes);
    const offset = first - start;
    for (let position = start; position < bytes.length; position++)
      sums[offset + position] = (sums[offset + position] as number) + (bytes[position] as number);
    return;
  }
  const { indexes, values, length } = decodePairs(bytes);
  for (let each = 0; each < length; each++) {
    const index = indexes[each] as number;
    sums[index] = (sums[index] as number) + (values[each] as number);
  }
};

/** The array to which the values of a section are added, and optionally an array from which they are subtracted. */
export interface SectionSums {
  to: Int32Array;
  from?: Int32Array;
}

/**
 * Adds values to arrays. The vector is divided into sections of `size` indexes; `sumsOf` returns the arrays of a
 * section, or null if the section is omitted. The index in the array is that in the section.
 */
export const addSections = (bytes: Uint8Array, size: number, sumsOf: (section: number) => SectionSums | null): void => {
  const { indexes, values, length } = decodePairs(bytes);
  for (let each = 0; each < length; ) {
    const section = Math.floor((indexes[each] as number) / size);
    const [start, end] = [section * size, (section + 1) * size];
    const { to, from } = sumsOf(section) ?? {};
    for (; each < length && (indexes[each] as number) < end; each++) {
      const index = (indexes[each] as number) - start;
      if (to) to[index] = (to[index] as number) + (values[each] as number);
      if (from) from[index] = (from[index] as number) - (values[each] as number);
    }
  }
};

/** Returns the value at an index of a vector. */
export const valueAt = (bytes: Uint8Array, index: number): number => {
  const { indexes, values, length } = decodePairs(bytes);
  const found = indexes.subarray(0, length).indexOf(index);
  return found < 0 ? 0 : (values[found] as number);
};

/** Decodes a vector. */
export const decodeVector = (bytes: Uint8Array): SparseVector => {
  const vector: SparseVector = new Map();
  visitVector(bytes, (index, value) => vector.set(index, value));
  return vector;
};
