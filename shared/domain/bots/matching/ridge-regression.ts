/**
 * Kernel ridge regression. The score of a class for a text is a weighted sum of the similarities of the text to
 * examples. The weights are fitted so that each example scores 1 for its own class and 0 for the others, as far as the
 * penalty on large weights allows.
 */

/** Strength of the penalty. */
const PENALTY = 0.7;

/** Returns the triangular matrix L with L · Lᵀ = matrix (Cholesky). Both matrices are stored as their lower halves. */
const factorize = (matrix: Float64Array[]): Float64Array[] => {
  const factor = matrix.map((row) => Float64Array.from(row));
  for (const [row, own] of factor.entries())
    for (let column = 0; column <= row; column++) {
      const other = factor[column] ?? own;
      let sum = own[column] ?? 0;
      for (let index = 0; index < column; index++) sum -= (own[index] ?? 0) * (other[index] ?? 0);
      own[column] = row === column ? Math.sqrt(sum) : sum / (other[column] ?? 1);
    }
  return factor;
};

/** Solves L · Lᵀ · x = values. */
const solve = (factor: Float64Array[], values: ArrayLike<number>): Float64Array => {
  const result = Float64Array.from(values);
  for (const [row, own] of factor.entries()) {
    let sum = result[row] ?? 0;
    for (let index = 0; index < row; index++) sum -= (own[index] ?? 0) * (result[index] ?? 0);
    result[row] = sum / (own[row] ?? 1);
  }
  for (let row = factor.length - 1; row >= 0; row--) {
    const value = (result[row] ?? 0) / (factor[row]?.[row] ?? 1);
    result[row] = value;
    for (let index = 0; index < row; index++)
      result[index] = (result[index] ?? 0) - (factor[row]?.[index] ?? 0) * value;
  }
  return result;
};

/**
 * Returns the scores of the classes for a text. Row i of `kernel` contains the similarities of example i to the
 * examples 0 to i. `classes` contains the class of each example, or -1 for none. `similarities` contains the similarity
 * of the text to each example.
 */
export const classScores = (
  kernel: Float64Array[],
  classes: number[],
  similarities: ArrayLike<number>,
): Float64Array => {
  const penalized = kernel.map((row, index) => row.with(index, (row[index] ?? 0) + PENALTY));
  // The score of each class is the sum over its examples of (matrix⁻¹ · similarities). One solution serves all classes.
  const weights = solve(factorize(penalized), similarities);
  const scores = new Float64Array(Math.max(-1, ...classes) + 1);
  for (const [example, label] of classes.entries())
    if (label >= 0) scores[label] = (scores[label] ?? 0) + (weights[example] ?? 0);
  return scores;
};
