/**
 * Compares a text with phrases by their vectors and words, in two steps. The first step estimates, for each intent, the
 * density of its phrases near the text (kernel density estimation). The second step distinguishes the best intents with
 * a ridge regression, which is fitted to the phrases and background sentences nearest to the text.
 */
import { normalize } from '../../../vectors/vector.ts';
import { classScores } from './ridge-regression.ts';
import type { WordIndex } from './word-index.ts';

/** The evidence that a text expresses an intent. From 0 upwards, this intent is at least as likely as no intent. */
export interface IntentEvidence {
  intent: string;
  evidence: number;
}

/** The phrases of a bot with their vectors and words, and the vectors of the background sentences. */
interface MatchedVectors {
  phrases: { intent: string; vector: Float32Array }[];
  words: WordIndex;
  background: Float32Array[];
}

/** How sharply the density decreases with the distance to a phrase. */
const SHARPNESS = 7;
/** Weight of the similarity by words. The similarity by vectors has a weight of 1. */
const WORD_WEIGHT = 0.1;
/** Weight of the densities. The scores of the regression have a weight of 1. */
const DENSITY_WEIGHT = 0.7;
/**
 * The weight of the most similar background sentence in `noIntentEvidence`. The density of all background sentences has
 * the remaining weight.
 */
const NEAREST_BACKGROUND_SHARE = 0.5;
const MAX_CANDIDATES = 8;
const MAX_EXAMPLES = 8;
const MAX_BACKGROUND_EXAMPLES = 20;
/** A background sentence that is at least this similar to an intent concerns a topic of the bot, and is omitted. */
const MAX_BACKGROUND_SIMILARITY = 0.5;
/**
 * The margin by which the regression score and weighted density of an intent, added together, must exceed the evidence
 * for no intent. Tuned on the sets in `test/data/intents`.
 */
const MIN_EVIDENCE = 0.19;
/** The factor that converts the excess over `MIN_EVIDENCE` to log-odds: the `evidence` of an intent. */
const EVIDENCE_SCALE = 6;

const dotProduct = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
};

const meanOf = (vectors: Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  return sum.map((value) => value / vectors.length);
};

/** Returns the logarithm of the mean of the exponentials of `values`. */
export const logMeanExp = (values: number[]): number => {
  const max = values.reduce((one, other) => Math.max(one, other));
  return max + Math.log(values.reduce((sum, value) => sum + Math.exp(value - max), 0) / values.length);
};

/** Returns how similar a text is to a set of texts, from its similarity to each. The most similar texts count most. */
const densityOf = (similarities: number[]): number =>
  similarities.length ? logMeanExp(similarities.map((each) => SHARPNESS * each)) / SHARPNESS : 0;

/** Returns the evidence that a text expresses no intent, from its similarities to the background sentences. */
const noIntentEvidence = (similarities: number[]): number =>
  similarities.length
    ? NEAREST_BACKGROUND_SHARE * Math.max(...similarities) + (1 - NEAREST_BACKGROUND_SHARE) * densityOf(similarities)
    : 0;

const nearest = (indexes: number[], similarities: ArrayLike<number>, count: number): number[] =>
  indexes.toSorted((one, other) => (similarities[other] ?? 0) - (similarities[one] ?? 0)).slice(0, count);

/** The vectors of a bot's phrases, prepared for matching. */
export class VectorMatcher {
  /** The mean of the background vectors. Subtracting it from a vector removes what all texts have in common. */
  readonly #center: Float32Array | undefined;
  /** The vectors of the phrases, followed by those of the background sentences. */
  readonly #vectors: Float32Array[];
  readonly #words: WordIndex;
  readonly #background: number[];
  readonly #phrasesByIntent: Map<string, number[]>;

  constructor({ phrases, words, background }: MatchedVectors) {
    this.#words = words;
    this.#phrasesByIntent = Map.groupBy(phrases.keys(), (index) => phrases[index]?.intent ?? '');
    this.#center = background.length ? meanOf(background) : undefined;
    const own = phrases.map(({ vector }) => this.#centered(vector));
    this.#vectors = own;
    const foreign = background.map((vector) => this.#centered(vector)).filter((vector) => this.#isForeign(vector));
    this.#vectors = [...own, ...foreign];
    this.#background = [...this.#vectors.keys()].slice(own.length);
  }

  /** Returns the intents that a text most likely expresses, best first. */
  match(text: string, vector: Float32Array): IntentEvidence[] {
    const centered = this.#centered(vector);
    const byWords = this.#words.similarities(text);
    const similarities = this.#vectors.map(
      (each, index) => dotProduct(centered, each) + WORD_WEIGHT * (byWords[index] ?? 0),
    );
    const candidates = this.#findCandidates(similarities);
    const scores = this.#classScores(candidates, similarities);
    const none = noIntentEvidence(this.#background.map((index) => similarities[index] ?? 0));
    return candidates
      .map(({ intent, density }, index) => ({
        intent,
        evidence: EVIDENCE_SCALE * ((scores[index] ?? 0) + DENSITY_WEIGHT * density - none - MIN_EVIDENCE),
      }))
      .toSorted((one, other) => other.evidence - one.evidence);
  }

  #centered(vector: Float32Array): Float32Array {
    return normalize(vector.map((value, index) => value - (this.#center?.[index] ?? 0)));
  }

  #isForeign(vector: Float32Array): boolean {
    const similarities = this.#vectors.map((each) => dotProduct(vector, each));
    return this.#densities(similarities).every(({ density }) => density < MAX_BACKGROUND_SIMILARITY);
  }

  #densities(similarities: number[]): { intent: string; density: number }[] {
    return [...this.#phrasesByIntent].map(([intent, phrases]) => ({
      intent,
      density: densityOf(phrases.map((index) => similarities[index] ?? 0)),
    }));
  }

  #findCandidates(similarities: number[]): { intent: string; density: number }[] {
    return this.#densities(similarities)
      .toSorted((one, other) => other.density - one.density)
      .slice(0, MAX_CANDIDATES);
  }

  /** Returns the regression scores of the candidates. */
  #classScores(candidates: { intent: string }[], similarities: number[]): Float64Array {
    const examples = [
      ...candidates.map(({ intent }) => nearest(this.#phrasesByIntent.get(intent) ?? [], similarities, MAX_EXAMPLES)),
      nearest(this.#background, similarities, MAX_BACKGROUND_EXAMPLES),
    ];
    const indexes = examples.flat();
    const classes = examples.flatMap((own, label) => own.map(() => (label < candidates.length ? label : -1)));
    const vectors = indexes.map((index) => this.#vectors[index] ?? new Float32Array());
    const kernel = vectors.map((one, row) =>
      Float64Array.from(vectors.slice(0, row + 1), (other) => dotProduct(one, other)),
    );
    return classScores(
      kernel,
      classes,
      Float64Array.from(indexes, (index) => similarities[index] ?? 0),
    );
  }
}
