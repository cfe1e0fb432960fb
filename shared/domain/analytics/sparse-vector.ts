/** Reads and changes encoded vectors of integers, most of whose values are zero. */
import { decodePairs, encode, newPairs, readStart, usesBytes } from './vector-bytes.ts';

/** The nonzero values of a vector, by index. */
export type SparseVector = Map<number, number>;

/**
 * Calls `visit` with each index and value of an encoded vector, in index order. `visit` must not decode vectors,
 * because all vectors are decoded into the same arrays.
 */
export const visitVector = (bytes: Uint8Array, visit: (index: number, value: number) => void): void => {
  const { indexes, values, length } = decodePairs(bytes);
  for (let each = 0; each < length; each++) visit(indexes[each] as number, values[each] as number);
};

const sumByteRanges: typeof sumRanges = (bytes, ends, visit) => {
  const { first, start } = readStart(bytes);
  for (let [position, range] = [start, 0]; position < bytes.length; ) {
    const index = first + position - start;
    while ((ends[range] as number) <= index) range += 1;
    const end = Math.min(bytes.length, (ends[range] as number) - first + start);
    let sum = 0;
    for (; position < end; position++) sum += bytes[position] as number;
    if (sum) visit(index, sum);
  }
};

/**
 * Sums the values of consecutive ranges of indexes; `ends` lists their exclusive ends in ascending order. Calls `visit`
 * with an index of each range that has values, and the sum of the range. Faster than `visitVector`, because it makes
 * one call per range. `visit` must not decode vectors, as in `visitVector`.
 */
export const sumRanges = (bytes: Uint8Array, ends: number[], visit: (index: number, sum: number) => void): void => {
  if (usesBytes(bytes)) return sumByteRanges(bytes, ends, visit);
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

/** A range of sections of a vector. Each section has `size` indexes. */
interface Sections {
  first: number;
  /** Exclusive. */
  end: number;
  size: number;
}

/**
 * Adds the values of sections to the array `to`, and subtracts them from `from` if it is given. The index in the arrays
 * is the index within the section.
 */
export const addSections = (
  bytes: Uint8Array,
  { first, end, size }: Sections,
  { to, from }: { to: Int32Array; from?: Int32Array },
): void => {
  const { indexes, values, length } = decodePairs(bytes);
  const [start, stop] = [first * size, end * size];
  let [each, section] = [0, start];
  while (each < length && (indexes[each] as number) < start) each += 1;
  for (; each < length && (indexes[each] as number) < stop; each++) {
    while ((indexes[each] as number) >= section + size) section += size;
    const index = (indexes[each] as number) - section;
    to[index] = (to[index] as number) + (values[each] as number);
    if (from) from[index] = (from[index] as number) - (values[each] as number);
  }
};

/** Returns the value at an index of a vector. */
export const valueAt = (bytes: Uint8Array, index: number): number => {
  const { indexes, values, length } = decodePairs(bytes);
  const found = indexes.subarray(0, length).indexOf(index);
  return found < 0 ? 0 : (values[found] as number);
};

const NO_PAIRS = newPairs(0);
/** All merges use the same arrays, because allocating arrays takes longer than merging. */
let merged = newPairs();

const append = (index: number, value: number): void => {
  if (value === 0) return;
  merged.indexes[merged.length] = index;
  merged.values[merged.length++] = value;
};

/**
 * Adds changes to an encoded vector; without one, encodes the changes. Returns null if all values of the result are
 * zero.
 */
export const mergeVector = (stored: Uint8Array | undefined, changes: SparseVector): Buffer | null => {
  const { indexes, values, length } = stored ? decodePairs(stored) : NO_PAIRS;
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
