/** Compares a text with phrases by their grams (words and parts of words), weighted by how few intents contain them. */
import { countGrams } from './grams.ts';

export interface IntentPhrase {
  intent: string;
  text: string;
}

interface Posting {
  phrase: number;
  weight: number;
}

/** A repeated gram counts less than its first occurrence. */
const COUNT_EXPONENT = 0.5;

const normalize = (weights: Map<string, number>): Map<string, number> => {
  const norm = Math.sqrt(weights.values().reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return new Map([...weights].map(([gram, weight]) => [gram, weight / norm]));
};

/** Counts the intents that contain each gram. */
const countIntents = (phrases: IntentPhrase[], grams: Map<string, number>[]): Map<string, number> => {
  const intentsByGram = new Map<string, Set<string>>();
  for (const [index, { intent }] of phrases.entries())
    for (const gram of grams[index]?.keys() ?? []) {
      const intents = intentsByGram.get(gram) ?? new Set();
      intentsByGram.set(gram, intents.add(intent));
    }
  return new Map([...intentsByGram].map(([gram, intents]) => [gram, intents.size]));
};

/** The phrases of a bot, by the grams that they contain. */
export class WordIndex {
  readonly #language: string;
  readonly #phraseCount: number;
  readonly #intentCount: number;
  readonly #intentsByGram: Map<string, number>;
  readonly #postings = new Map<string, Posting[]>();

  constructor(phrases: IntentPhrase[], language: string) {
    this.#language = language;
    this.#phraseCount = phrases.length;
    this.#intentCount = new Set(phrases.map(({ intent }) => intent)).size;
    const grams = phrases.map(({ text }) => countGrams(text, language));
    this.#intentsByGram = countIntents(phrases, grams);
    for (const [index, counts] of grams.entries()) this.#addPostings(index, this.#weigh(counts));
  }

  /** Returns the cosine similarity of a text to each phrase. */
  similarities(text: string): Float64Array {
    const similarities = new Float64Array(this.#phraseCount);
    for (const [gram, weight] of this.#weigh(countGrams(text, this.#language)))
      for (const posting of this.#postings.get(gram) ?? [])
        similarities[posting.phrase] = (similarities[posting.phrase] ?? 0) + weight * posting.weight;
    return similarities;
  }

  #addPostings(phrase: number, weights: Map<string, number>): void {
    for (const [gram, weight] of weights) {
      const postings = this.#postings.get(gram);
      if (postings) postings.push({ phrase, weight });
      else this.#postings.set(gram, [{ phrase, weight }]);
    }
  }

  #weigh(counts: Map<string, number>): Map<string, number> {
    const rarity = (gram: string) => Math.log(1 + this.#intentCount / ((this.#intentsByGram.get(gram) ?? 0) + 0.5));
    return normalize(new Map([...counts].map(([gram, count]) => [gram, count ** COUNT_EXPONENT * rarity(gram)])));
  }
}
