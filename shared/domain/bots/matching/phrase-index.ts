/** Finds the intents whose training phrases are most similar to a text: by vectors and words, or by words only. */
import { glossText } from './gloss.ts';
import { logMeanExp, VectorMatcher } from './vector-matcher.ts';
import { WordIndex } from './word-index.ts';

/** A training phrase. Without a vector it is compared by its words only. */
export interface Phrase {
  intent: string;
  text: string;
  vector?: Float32Array;
}

/** An intent and the probability, from 0.5 to 1, that a text has it. */
export interface ScoredIntent {
  intent: string;
  score: number;
}

/**
 * The comparison by words only: how sharply the evidence decreases with the distance to a phrase, and the least
 * evidence of a match. Chosen with the sets in `test/data/intents`.
 */
const WORDS_ONLY = { sharpness: 8, minEvidence: 1 };

/** Returns a text with its glosses, so that it shares words with other inflections, compounds and synonyms. */
const withGlosses = (text: string, language: string): string => {
  const gloss = glossText(text, language);
  return gloss === text ? text : `${text} ${gloss}`;
};

const toProbability = (evidence: number): number => 1 / (1 + Math.exp(-evidence));

/** The training phrases of a bot, prepared for comparison. */
export class PhraseIndex {
  readonly #language: string;
  readonly #words: WordIndex;
  readonly #vectors: VectorMatcher | undefined;
  readonly #phrasesByIntent: Map<string, number[]>;

  /** `background` has the vectors of sentences of no intent. */
  constructor(phrases: Phrase[], language: string, background: Float32Array[] = []) {
    this.#language = language;
    this.#words = new WordIndex(
      phrases.map(({ intent, text }) => ({ intent, text: withGlosses(text, language) })),
      language,
    );
    const embedded = phrases.flatMap(({ intent, vector }) => (vector ? [{ intent, vector }] : []));
    if (embedded.length === phrases.length) this.#vectors = new VectorMatcher({ phrases: embedded, background });
    this.#phrasesByIntent = Map.groupBy(phrases.keys(), (index) => phrases[index]?.intent ?? '');
  }

  /** Whether every phrase has a vector, so that texts are also compared by vectors. */
  get hasVectors(): boolean {
    return this.#vectors !== undefined;
  }

  /**
   * Returns the intents that match a text, best first. `vector` is that of the text; without it, or while phrases lack
   * their vectors, the text is compared by its words only.
   */
  match(text: string, vector?: Float32Array): ScoredIntent[] {
    const similarities = this.#words.similarities(withGlosses(text, this.#language));
    const evidences =
      vector && this.#vectors ? this.#vectors.match(vector, similarities) : this.#matchByWords(similarities);
    return evidences
      .filter(({ evidence }) => evidence >= 0)
      .map(({ intent, evidence }) => ({ intent, score: toProbability(evidence) }))
      .toSorted((one, other) => other.score - one.score);
  }

  #matchByWords(similarities: Float64Array): { intent: string; evidence: number }[] {
    return [...this.#phrasesByIntent].map(([intent, phrases]) => {
      const evidences = phrases.map((index) => WORDS_ONLY.sharpness * (similarities[index] ?? 0));
      return { intent, evidence: logMeanExp(evidences) - WORDS_ONLY.minEvidence };
    });
  }
}
