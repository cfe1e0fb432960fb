/** Cosine of two vectors; 0 where one is missing, of no length, or of another dimension. */
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
