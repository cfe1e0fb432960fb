/** Finds the intents whose training phrases are most similar to a text: by vectors and words, or by words only. */
import { Spelling } from './spelling.ts';
import { logMeanExp, VectorMatcher } from './vector-matcher.ts';
import { WordIndex } from './word-index.ts';

/** A training phrase. `vector` is absent if there is no model, or if the phrase is not embedded yet. */
export interface Phrase {
  intent: string;
  text: string;
  vector?: Float32Array;
}

/** An intent and the probability, from 0.5 to 1, that a text expresses it. */
export interface ScoredIntent {
  intent: string;
  score: number;
}

/**
 * Parameters of the comparison by words only: how sharply the evidence decreases with the distance to a phrase, and the
 * minimum evidence for a match. Tuned on the sets in `test/data/intents`.
 */
const WORDS_ONLY = { sharpness: 8, minEvidence: 1 };

const toProbability = (evidence: number): number => 1 / (1 + Math.exp(-evidence));

/** The training phrases of a bot, prepared for comparison. */
export class PhraseIndex {
  readonly #words: WordIndex;
  readonly #spelling: Spelling;
  readonly #vectors: VectorMatcher | undefined;
  readonly #phrasesByIntent: Map<string, number[]>;

  /** `background` contains the vectors of sentences that express no intent. */
  constructor(phrases: Phrase[], language: string, background: Float32Array[] = []) {
    this.#words = new WordIndex(phrases, language);
    this.#spelling = new Spelling(phrases.map(({ text }) => text));
    const embedded = phrases.flatMap(({ intent, vector }) => (vector ? [{ intent, vector }] : []));
    if (embedded.length === phrases.length)
      this.#vectors = new VectorMatcher({ phrases: embedded, words: this.#words, background });
    this.#phrasesByIntent = Map.groupBy(phrases.keys(), (index) => phrases[index]?.intent ?? '');
  }

  /** Whether every phrase has a vector, so that texts are also compared by vectors. */
  get hasVectors(): boolean {
    return this.#vectors !== undefined;
  }

  /** Returns the text with its typing errors corrected to words of the phrases. */
  correctSpelling(text: string): string {
    return this.#spelling.correct(text);
  }

  /**
   * Returns the intents that match a text, best first. `vector` is the vector of the text. Without it, or while any
   * phrase lacks its vector, the text is compared by its words only.
   */
  match(text: string, vector?: Float32Array): ScoredIntent[] {
    const evidences = vector && this.#vectors ? this.#vectors.match(text, vector) : this.#matchByWords(text);
    return evidences
      .filter(({ evidence }) => evidence >= 0)
      .map(({ intent, evidence }) => ({ intent, score: toProbability(evidence) }))
      .toSorted((one, other) => other.score - one.score);
  }

  #matchByWords(text: string): { intent: string; evidence: number }[] {
    const similarities = this.#words.similarities(text);
    return [...this.#phrasesByIntent].map(([intent, phrases]) => {
      const evidences = phrases.map((index) => WORDS_ONLY.sharpness * (similarities[index] ?? 0));
      return { intent, evidence: logMeanExp(evidences) - WORDS_ONLY.minEvidence };
    });
  }
}
