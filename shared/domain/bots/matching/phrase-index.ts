/**
 * Finds the intent whose training phrases are most similar to a text. The score of an intent combines its most similar
 * phrase and the mean of its phrases, both by words and by the vectors of the embedding model.
 */
import { countGrams } from './grams.ts';

/** A training phrase. Without a vector it is compared by its words only. */
export interface Phrase {
  intent: string;
  text: string;
  vector?: Float32Array;
}

/** An intent and its score, from 0 to 1. */
export interface ScoredIntent {
  intent: string;
  score: number;
}

/**
 * The weights of the similarities and the score from which an intent matches, with and without vectors. Chosen with
 * `test/data/intents/tuning-set.json`.
 */
const WITH_VECTORS = { words: 0.25, meanWords: 0.5, vectors: 0.5, meanVectors: 0.5, threshold: 0.23 };
const WORDS_ONLY = { words: 1, meanWords: 1, vectors: 0, meanVectors: 0, threshold: 0.13 };

/** Repeated parts of words count less than the first. */
const COUNT_EXPONENT = 0.5;

interface Posting {
  phrase: number;
  weight: number;
}

/** The similarities of a text to the phrases of one intent. */
interface Similarities {
  best: number;
  sum: number;
}

const dotProduct = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
};

const NO_SIMILARITY: Similarities = { best: 0, sum: 0 };

/** `Math.hypot` of many arguments would overflow the stack. */
const lengthOf = (weights: Map<string, number>): number =>
  Math.sqrt(weights.values().reduce((sum, weight) => sum + weight * weight, 0)) || 1;

const normalize = (weights: Map<string, number>): Map<string, number> => {
  const norm = lengthOf(weights);
  return new Map([...weights].map(([gram, weight]) => [gram, weight / norm]));
};

const addInto = (sums: Map<string, number>, weights: Map<string, number>): void => {
  for (const [gram, weight] of weights) sums.set(gram, (sums.get(gram) ?? 0) + weight);
};

const vectorNorm = (vectors: Float32Array[]): number => {
  const [first] = vectors;
  if (!first) return 1;
  const sum = first.map((_, index) => vectors.reduce((total, vector) => total + (vector[index] ?? 0), 0));
  return Math.sqrt(dotProduct(sum, sum)) || 1;
};

/** The similarities of a text to each intent, from its similarities to all phrases. */
const groupByIntent = (phrases: Phrase[], similarities: ArrayLike<number>): Map<string, Similarities> => {
  const byIntent = new Map<string, Similarities>();
  for (const [index, { intent }] of phrases.entries()) {
    const similarity = similarities[index] ?? 0;
    const { best, sum } = byIntent.get(intent) ?? { best: 0, sum: 0 };
    byIntent.set(intent, { best: Math.max(best, similarity), sum: sum + similarity });
  }
  return byIntent;
};

/** Counts the intents that contain each gram. */
const countIntents = (phrases: Phrase[], grams: Map<string, number>[]): Map<string, number> => {
  const intentsByGram = new Map<string, Set<string>>();
  for (const [index, { intent }] of phrases.entries())
    for (const gram of grams[index]?.keys() ?? []) {
      const intents = intentsByGram.get(gram) ?? new Set();
      intentsByGram.set(gram, intents.add(intent));
    }
  return new Map([...intentsByGram].map(([gram, intents]) => [gram, intents.size]));
};

/** The training phrases of a bot, prepared for comparison. */
export class PhraseIndex {
  /** Whether every phrase has a vector, so that texts are also compared by vectors. */
  readonly hasVectors: boolean;
  readonly #phrases: Phrase[];
  readonly #language: string;
  readonly #intentCount: number;
  readonly #intentsByGram: Map<string, number>;
  readonly #postings = new Map<string, Posting[]>();
  /** Lengths of the summed weights and of the summed vectors of each intent's phrases. */
  readonly #norms: Map<string, { words: number; vectors: number }>;

  constructor(phrases: Phrase[], language: string) {
    this.#phrases = phrases;
    this.#language = language;
    this.hasVectors = phrases.every(({ vector }) => vector);
    const grams = phrases.map(({ text }) => countGrams(text, language));
    this.#intentsByGram = countIntents(phrases, grams);
    this.#intentCount = new Set(phrases.map(({ intent }) => intent)).size;
    const weights = grams.map((counts) => this.#weigh(counts));
    for (const [index, own] of weights.entries()) this.#addPostings(index, own);
    this.#norms = this.#normsOf(weights);
  }

  #normsOf(weights: Map<string, number>[]): Map<string, { words: number; vectors: number }> {
    const byIntent = Map.groupBy([...this.#phrases.entries()], ([, { intent }]) => intent);
    const norms = [...byIntent].map(([intent, own]) => {
      const sums = new Map<string, number>();
      for (const [index] of own) addInto(sums, weights[index] ?? new Map());
      const vectors = own.flatMap(([, { vector }]) => vector ?? []);
      return [intent, { words: lengthOf(sums), vectors: vectorNorm(vectors) }] as const;
    });
    return new Map(norms);
  }

  #addPostings(phrase: number, weights: Map<string, number>): void {
    for (const [gram, weight] of weights) {
      const postings = this.#postings.get(gram);
      if (postings) postings.push({ phrase, weight });
      else this.#postings.set(gram, [{ phrase, weight }]);
    }
  }

  /** Weighs grams by how few intents contain them. */
  #weigh(counts: Map<string, number>): Map<string, number> {
    const rarity = (gram: string) => Math.log(1 + this.#intentCount / ((this.#intentsByGram.get(gram) ?? 0) + 0.5));
    return normalize(new Map([...counts].map(([gram, count]) => [gram, count ** COUNT_EXPONENT * rarity(gram)])));
  }

  #wordSimilarities(text: string): Map<string, Similarities> {
    const similarities = new Float64Array(this.#phrases.length);
    for (const [gram, weight] of this.#weigh(countGrams(text, this.#language)))
      for (const posting of this.#postings.get(gram) ?? [])
        similarities[posting.phrase] = (similarities[posting.phrase] ?? 0) + weight * posting.weight;
    return groupByIntent(this.#phrases, similarities);
  }

  #vectorSimilarities(text: Float32Array): Map<string, Similarities> {
    const similarities = this.#phrases.map(({ vector }) => (vector ? dotProduct(text, vector) : 0));
    return groupByIntent(this.#phrases, similarities);
  }

  /**
   * Returns the intents that match a text, best first. `vector` is that of the text; without it, or while phrases lack
   * their vectors, the text is compared by its words only.
   */
  match(text: string, vector?: Float32Array): ScoredIntent[] {
    const usesVectors = vector !== undefined && this.hasVectors;
    const weights = usesVectors ? WITH_VECTORS : WORDS_ONLY;
    const words = this.#wordSimilarities(text);
    const vectors = usesVectors ? this.#vectorSimilarities(vector) : undefined;
    const total = weights.words + weights.meanWords + weights.vectors + weights.meanVectors;
    const scores = [...this.#norms].map(([intent, norms]) => {
      const byWords = words.get(intent) ?? NO_SIMILARITY;
      const byVectors = vectors?.get(intent) ?? NO_SIMILARITY;
      const score =
        weights.words * byWords.best +
        (weights.meanWords * byWords.sum) / norms.words +
        weights.vectors * byVectors.best +
        (weights.meanVectors * byVectors.sum) / norms.vectors;
      return { intent, score: score / total };
    });
    const matching = scores.filter(({ score }) => score >= weights.threshold);
    return matching.toSorted((one, other) => other.score - one.score);
  }
}
