/**
 * Encodes vectors of integers in the shorter of two forms: a list of pairs, or one byte per index. There is a pair for
 * each nonzero value: the distance to the previous index, and the value. Both numbers have a variable length, with
 * seven bits per byte. One byte per index requires that all values are from 0 to 255.
 */

/**
 * The first bytes of a vector with one byte per index. No list of pairs begins with these bytes, because no pair has
 * the value 0.
 */
const BYTES_MARKER = [0, 0];
const MAX_BYTE = 255;
const CONTINUES = 0x80;
const RADIX = 0x80;

/** Zigzag encoding: interleaves positive and negative values, so that values near zero have short codes. */
const toUnsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const toSigned = (code: number): number => (code % 2 ? -(code + 1) / 2 : code / 2);

/** The nonzero values of a vector and their indexes, in the order of their indexes. */
export interface Pairs {
  indexes: Int32Array;
  values: Float64Array;
  length: number;
}

const INITIAL_PAIRS = 4096;
/** A pair needs at most five bytes for its 32-bit index and eight bytes for its value. */
const MAX_PAIR_BYTES = 13;

/** Returns an empty list of pairs with room for `capacity` pairs. */
export const newPairs = (capacity = INITIAL_PAIRS): Pairs => ({
  ...{ indexes: new Int32Array(capacity), values: new Float64Array(capacity), length: 0 },
});

/** All vectors are decoded and encoded in the same arrays, because allocating arrays takes longer than decoding. */
let pairs = newPairs();
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

/** Whether a vector can be encoded with one byte per index, in fewer than `limit` bytes. */
const fitsBytes = ({ indexes, values, length }: Pairs, limit: number): boolean => {
  const headerBytes = BYTES_MARKER.length + Math.max(1, Math.ceil(Math.log2((indexes[0] as number) + 1) / 7));
  if (headerBytes + (indexes[length - 1] as number) - (indexes[0] as number) + 1 >= limit) return false;
  for (let each = 0; each < length; each++)
    if ((values[each] as number) < 0 || (values[each] as number) > MAX_BYTE) return false;
  return true;
};

/** Encodes pairs, whose values must not be 0, in the shorter of the two forms. Returns null if there are no pairs. */
export const encode = (vector: Pairs): Buffer | null => {
  if (!vector.length) return null;
  if (output.length < vector.length * MAX_PAIR_BYTES) output = Buffer.allocUnsafe(2 * vector.length * MAX_PAIR_BYTES);
  const length = writePairs(vector);
  return Buffer.from(output.subarray(0, fitsBytes(vector, length) ? writeBytes(vector) : length));
};

/** Whether a vector has one byte per index. */
export const usesBytes = (bytes: Uint8Array): boolean => bytes[0] === BYTES_MARKER[0] && bytes[1] === BYTES_MARKER[1];

/** Returns the first index of a vector with one byte per index, and the position of its value. */
export const readStart = (bytes: Uint8Array): { first: number; start: number } => {
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
export const decodePairs = (bytes: Uint8Array): Pairs => {
  if (usesBytes(bytes)) return decodeBytes(bytes);
  reserve(Math.ceil(bytes.length / 2));
  const { indexes, values } = pairs;
  let [position, index, length] = [0, 0, 0];
  while (position < bytes.length) {
    let byte = bytes[position++] as number;
    index += byte % RADIX;
    for (let factor = RADIX; byte >= CONTINUES; factor *= RADIX) {
      byte = bytes[position++] as number;
      index += (byte % RADIX) * factor;
    }
    indexes[length] = index;
    byte = bytes[position++] as number;
    // Most values are small. The general case takes several times as long.
    if (byte < CONTINUES) {
      values[length++] = byte & 1 ? -((byte + 1) >> 1) : byte >> 1;
      continue;
    }
    let code = byte % RADIX;
    for (let factor = RADIX; byte >= CONTINUES; factor *= RADIX) {
      byte = bytes[position++] as number;
      code += (byte % RADIX) * factor;
    }
    values[length++] = toSigned(code);
  }
  pairs.length = length;
  return pairs;
};
