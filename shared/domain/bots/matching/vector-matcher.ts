/**
 * Compares a text with phrases by their vectors, in two steps. First, each intent gets the evidence of its phrases (a
 * kernel density estimate). Then a logistic regression distinguishes the best intents: it is fitted to the phrases of
 * these intents that are nearest to the text. Both steps compare with background sentences, which belong to no intent.
 */
import { normalize } from '../../../vectors/vector.ts';
import { classScores } from './logistic-regression.ts';

/** The result of both steps for one intent: above 0, the text rather has this intent than none. */
export interface IntentEvidence {
  intent: string;
  evidence: number;
}

/** The phrases of a bot with their vectors, and the vectors of the background sentences. */
interface MatchedVectors {
  phrases: { intent: string; vector: Float32Array }[];
  background: Float32Array[];
}

/** How sharply the evidence decreases with the distance to a phrase. */
const SHARPNESS = 8;
/** The weight of the similarity by words; that by vectors weighs 1. */
const WORD_WEIGHT = 0.2;
const MAX_CANDIDATES = 8;
const MAX_EXAMPLES = 8;
const MAX_BACKGROUND_EXAMPLES = 10;
/** The evidence from which a text rather has an intent than none. Chosen with the sets in `test/data/intents`. */
const MIN_EVIDENCE = -0.75;
/** A background sentence that is so similar to the mean of an intent is among the bot's topics, and left out. */
const MAX_BACKGROUND_SIMILARITY = 0.45;

const dotProduct = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
};

/** The mean of vectors, scaled to length 1. */
const meanVector = (vectors: Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  return normalize(sum);
};

/** The logarithm of the mean of the exponentials. */
export const logMeanExp = (values: number[]): number => {
  const max = values.reduce((one, other) => Math.max(one, other));
  return max + Math.log(values.reduce((sum, value) => sum + Math.exp(value - max), 0) / values.length);
};

const nearest = (indexes: number[], similarities: ArrayLike<number>, count: number): number[] =>
  indexes.toSorted((one, other) => (similarities[other] ?? 0) - (similarities[one] ?? 0)).slice(0, count);

/** The vectors of a bot's phrases, prepared for matching. */
export class VectorMatcher {
  /** The vectors of the phrases, then those of the background. */
  readonly #vectors: Float32Array[];
  readonly #background: number[];
  readonly #phrasesByIntent: Map<string, number[]>;

  constructor({ phrases, background }: MatchedVectors) {
    const own = phrases.map(({ vector }) => vector);
    this.#phrasesByIntent = Map.groupBy(phrases.keys(), (index) => phrases[index]?.intent ?? '');
    const means = [...this.#phrasesByIntent.values()].map((indexes) =>
      meanVector(indexes.flatMap((n) => own[n] ?? [])),
    );
    const isForeign = (vector: Float32Array) =>
      means.every((mean) => dotProduct(mean, vector) < MAX_BACKGROUND_SIMILARITY);
    this.#vectors = [...own, ...background.filter(isForeign)];
    this.#background = [...this.#vectors.keys()].slice(own.length);
  }

  /**
   * Returns the intents that a text most likely has, best first. `wordSimilarities` has the similarity by words to each
   * phrase.
   */
  match(text: Float32Array, wordSimilarities: ArrayLike<number>): IntentEvidence[] {
    const similarities = this.#vectors.map((vector) => dotProduct(text, vector));
    const candidates = this.#findCandidates(similarities, wordSimilarities);
    if (!candidates.length) return [];
    const examples = candidates.map(({ intent }) =>
      nearest(this.#phrasesByIntent.get(intent) ?? [], similarities, MAX_EXAMPLES),
    );
    const scores = this.#classScores(
      [...examples, nearest(this.#background, similarities, MAX_BACKGROUND_EXAMPLES)],
      similarities,
    );
    const noneScore = scores.at(-1) ?? 0;
    return candidates
      .map(({ intent, evidence }, index) => ({
        intent,
        evidence: (evidence + (scores[index] ?? 0) - noneScore) / 2 - MIN_EVIDENCE,
      }))
      .toSorted((one, other) => other.evidence - one.evidence);
  }

  #findCandidates(similarities: number[], wordSimilarities: ArrayLike<number>): IntentEvidence[] {
    const evidenceOf = (index: number) =>
      SHARPNESS * ((similarities[index] ?? 0) + WORD_WEIGHT * (wordSimilarities[index] ?? 0));
    const none = this.#background.length ? logMeanExp(this.#background.map(evidenceOf)) : 0;
    return [...this.#phrasesByIntent]
      .map(([intent, phrases]) => ({ intent, evidence: logMeanExp(phrases.map(evidenceOf)) - none }))
      .toSorted((one, other) => other.evidence - one.evidence)
      .slice(0, MAX_CANDIDATES);
  }

  /** The scores of classes of examples for a text. */
  #classScores(examples: number[][], similarities: number[]): number[] {
    const indexes = examples.flat();
    const classes = examples.flatMap((own, label) => own.map(() => label));
    const kernel = indexes.map((one) =>
      Float64Array.from(indexes, (other) =>
        dotProduct(this.#vectors[one] ?? new Float32Array(), this.#vectors[other] ?? new Float32Array()),
      ),
    );
    return classScores(
      kernel,
      classes,
      Float64Array.from(indexes, (index) => similarities[index] ?? 0),
    );
  }
}
