/**
 * Multinomial logistic regression in its dual form: the score of a class is a weighted sum of the similarities to the
 * examples. It is fitted by gradient descent from weights of zero; the result is deterministic.
 */

const STEPS = 60;
const STEP_SIZE = 0.05;
const MOMENTUM = 0.9;
/** Strength of the penalty on large weights. */
const PENALTY = 1 / 30;

/** Replaces scores by the probabilities that they stand for. */
const toProbabilities = (scores: number[]): number[] => {
  const max = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - max));
  const sum = exponentials.reduce((total, each) => total + each, 0);
  return exponentials.map((each) => each / sum);
};

/** The scores of the classes, from similarities to the examples and the weights of each class. */
const scoresOf = (similarities: ArrayLike<number>, weights: Float64Array[]): number[] =>
  weights.map((own) => {
    let score = 0;
    for (let index = 0; index < own.length; index++) score += (own[index] ?? 0) * (similarities[index] ?? 0);
    return score;
  });

/**
 * Fits the classes of examples and returns the scores of the classes for a text. `kernel` has the similarities between
 * the examples, `similarities` those of the text to the examples.
 */
export const classScores = (kernel: Float64Array[], classes: number[], similarities: ArrayLike<number>): number[] => {
  const newWeights = () => Array.from({ length: Math.max(...classes) + 1 }, () => new Float64Array(classes.length));
  const weights = newWeights();
  const velocities = newWeights();
  for (let step = 0; step < STEPS; step++) {
    const probabilities = kernel.map((row) => toProbabilities(scoresOf(row, weights)));
    for (const [label, own] of weights.entries()) {
      const velocity = velocities[label] ?? own;
      for (const [example, expected] of classes.entries()) {
        const error = (expected === label ? 1 : 0) - (probabilities[example]?.[label] ?? 0);
        const gradient = error - PENALTY * (own[example] ?? 0);
        velocity[example] = MOMENTUM * (velocity[example] ?? 0) + STEP_SIZE * gradient;
      }
      for (let example = 0; example < own.length; example++)
        own[example] = (own[example] ?? 0) + (velocity[example] ?? 0);
    }
  }
  return scoresOf(similarities, weights);
};
