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

/** Zigzag encoding: interleaves positive and negative values, so that values near zero are short. */
const toUnsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const toSigned = (code: number): number => (code % 2 ? -(code + 1) / 2 : code / 2);

/** The pairs of a vector, in the order of their indexes. */
interface Pairs {
  indexes: Int32Array;
  values: Float64Array;
  length: number;
}

const INITIAL_PAIRS = 4096;
/** A pair needs at most five bytes for its 32-bit index and eight bytes for its value. */
const MAX_PAIR_BYTES = 13;

const newPairs = (capacity: number): Pairs => ({
  ...{ indexes: new Int32Array(capacity), values: new Float64Array(capacity), length: 0 },
});

/** Vectors are decoded and encoded in the same arrays, because allocating arrays takes longer than decoding. */
let pairs = newPairs(INITIAL_PAIRS);
let merged = newPairs(INITIAL_PAIRS);
let output = Buffer.allocUnsafe(INITIAL_PAIRS * MAX_PAIR_BYTES);

const reserve = (length: number): void => {
  if (pairs.indexes.length < length) pairs = newPairs(2 * length);
};

/** Writes a number at a position of the output. Returns the position after it. */
const writeNumber = (number: number, start: number): number => {
  let [rest, position] = [number, start];
  while (rest >= RADIX) {
    output[position++] = (rest % RADIX) + CONTINUES;
    rest = Math.floor(rest / RADIX);
  }
  output[position++] = rest;
  return position;
};

/** Writes pairs to the output. Returns the number of bytes. */
const writePairs = ({ indexes, values, length }: Pairs): number => {
  let [position, previous] = [0, 0];
  for (let each = 0; each < length; each++) {
    const index = indexes[each] as number;
    position = writeNumber(toUnsigned(values[each] as number), writeNumber(index - previous, position));
    previous = index;
  }
  return position;
};

/** Writes one byte per index, from the first to the last. Returns the number of bytes. */
const writeBytes = ({ indexes, values, length }: Pairs): number => {
  const first = indexes[0] as number;
  output.set(BYTES_MARKER);
  const start = writeNumber(first, BYTES_MARKER.length);
  const end = start + (indexes[length - 1] as number) - first + 1;
  output.fill(0, start, end);
  for (let each = 0; each < length; each++) output[start + (indexes[each] as number) - first] = values[each] as number;
  return end;
};

/** Whether a vector needs fewer than `limit` bytes with one byte per index. */
const fitsBytes = ({ indexes, values, length }: Pairs, limit: number): boolean => {
  const headerBytes = BYTES_MARKER.length + Math.max(1, Math.ceil(Math.log2((indexes[0] as number) + 1) / 7));
  if (headerBytes + (indexes[length - 1] as number) - (indexes[0] as number) + 1 >= limit) return false;
  for (let each = 0; each < length; each++)
    if ((values[each] as number) < 0 || (values[each] as number) > MAX_BYTE) return false;
  return true;
};

/** Encodes pairs without zeros, in the shorter of the two forms; returns null if there are none. */
const encode = (vector: Pairs): Buffer | null => {
  if (!vector.length) return null;
  if (output.length < vector.length * MAX_PAIR_BYTES) output = Buffer.allocUnsafe(2 * vector.length * MAX_PAIR_BYTES);
  const length = writePairs(vector);
  return Buffer.from(output.subarray(0, fitsBytes(vector, length) ? writeBytes(vector) : length));
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
interface SectionSums {
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

/**
 * Adds changes to an encoded vector; without one, encodes the changes. Returns null if all values of the result are
 * zero.
 */
export const mergeVector = (stored: Uint8Array | undefined, changes: SparseVector): Buffer | null => {
  const { indexes, values, length } = stored ? decodePairs(stored) : { ...pairs, length: 0 };
  const added = [...changes].toSorted(([one], [other]) => one - other);
  if (merged.indexes.length < length + added.length) merged = newPairs(2 * (length + added.length));
  merged.length = 0;
  let each = 0;
  const keepBefore = (limit: number): void => {
    for (; each < length && (indexes[each] as number) < limit; each++)
      append(indexes[each] as number, values[each] as number);
  };
  for (const [index, amount] of added) {
    keepBefore(index);
    append(index, indexes[each] === index && each < length ? (values[each++] as number) + amount : amount);
  }
  keepBefore(Infinity);
  return encode(merged);
};

const append = (index: number, value: number): void => {
  if (value === 0) return;
  merged.indexes[merged.length] = index;
  merged.values[merged.length++] = value;
};
