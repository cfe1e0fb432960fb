/** Arithmetic and storage format of embedding vectors. */

/**
 * Scales a vector in place to the norm 1, so that a dot product is a cosine, and returns it. A zero vector stays zero.
 */
export const normalize = <V extends Float32Array>(vector: V): V => {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) / length;
  return vector;
};

/** Returns the cosine of two vectors; 0 if one is missing or zero, or if their dimensions differ. */
export const cosine = (one: Float32Array | null | undefined, other: Float32Array | null | undefined): number => {
  if (!one || !other || one.length !== other.length) return 0;
  let [product, firstSquare, secondSquare] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index] as number, other[index] as number];
    product += a * b;
    firstSquare += a * a;
    secondSquare += b * b;
  }
  return firstSquare && secondSquare ? product / Math.sqrt(firstSquare * secondSquare) : 0;
};

export const encodeVector = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Decodes a stored vector; null if none is stored. */
export const decodeVector = (stored: { buffer: Uint8Array } | Uint8Array | null | undefined): Float32Array | null => {
  if (!stored) return null;
  const bytes = new Uint8Array(stored instanceof Uint8Array ? stored : stored.buffer); // a copy, aligned for floats
  return new Float32Array(bytes.buffer);
};
