/** Arithmetic and storage format of embedding vectors. */

/**
 * Scales a vector in place to length 1, so that a dot product is a cosine, and returns it. A zero vector stays zero.
 */
export const normalise = <V extends Float32Array>(vector: V): V => {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
};

/** Returns the cosine of two vectors; 0 if one is missing or zero, or if their dimensions differ. */
export const cosine = (one: Float32Array | null | undefined, other: Float32Array | null | undefined): number => {
  if (!one || !other || one.length !== other.length) return 0;
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at] as number, other[at] as number];
    product += a * b;
    first += a * a;
    second += b * b;
  }
  return first && second ? product / Math.sqrt(first * second) : 0;
};

/** Encodes a vector for storage. */
export const encodeVector = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Decodes a stored vector. */
export const decodeVector = (stored: { buffer: Uint8Array } | Uint8Array | null | undefined): Float32Array | null => {
  if (!stored) return null;
  const bytes = Uint8Array.from(stored instanceof Uint8Array ? stored : stored.buffer);
  return new Float32Array(bytes.buffer);
};
