/** The vector scaled in place to length 1, so that a dot product is a cosine; a zero vector stays. */
export const normalise = <V extends Float32Array>(vector: V): V => {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
};
