/**
 * Judges with a logistic regression whether sentences of the best pages answer a question. The regression was fitted to
 * the tuning questions of test/data, and checked with the questions of a site that the fit did not use.
 */
import type { RankedCandidate } from './rank.ts';
import type { TermStatistics } from './term-statistics.ts';

/** The verdict. `confidence` is between 0 and 1. If it is at least 0.5, the question is answerable. */
export interface Answerability {
  answerable: boolean;
  confidence: number;
}

/** The features of a question that its search determines. The numbers are between 0 and 1. */
export interface QuestionEvidence {
  /** The words of the question that occur in the fewest chunks, rarest first. */
  rareWords: string[];
  /**
   * Weighted share of the question's words that occur in the namespace. A word that occurs in few chunks counts only
   * partly.
   */
  knownWordShare: number;
  /** BM25 score of the best chunk, relative to the sum of the weights of the question's words. */
  bm25Share: number;
  /** Grows with the number of the question's words: a long question has lower cosines to sentences than a short one. */
  questionLength: number;
  /**
   * If the question contains a name ("Django", "MySQL") that none of the best chunks contains: the `richness` of the
   * namespace. Otherwise 0.
   */
  unmentionedName: number;
}

/** The features that the comparison of a question with sentences determines. */
export interface SentenceEvidence {
  /** Cosine similarity of the question and the nearest sentence. */
  nearestSentence: number;
  /**
   * How well the best page covers the rare words of the question. For each word: its cosine to the nearest sentence of
   * the page, minus its cosine to the question. The value is the smallest of these differences; it is low if a word
   * that matters ("Alexa") has no counterpart on the page. It is 0 for fewer than two rare words.
   */
  leastCoveredWord: number;
}

/** The weight of each feature in the log-odds. */
const FEATURE_WEIGHTS = {
  withSentences: {
    nearestSentence: 6.6,
    leastCoveredWord: 5.2,
    knownWordShare: 1.4,
    bm25Share: 0,
    questionLength: 6.1,
    unmentionedName: -3,
    bias: -6.5,
  },
  fullTextOnly: {
    nearestSentence: 0,
    leastCoveredWord: 0,
    knownWordShare: 10.6,
    bm25Share: 5.6,
    questionLength: 0,
    unmentionedName: 0,
    bias: -9.4,
  },
} as const;

/**
 * A word in at most this many chunks has as its weight the highest BM25 score of all words of the question. Any other
 * word has its own highest BM25 score as its weight.
 */
const MAX_CHUNKS_OF_RARE_WORD = 3;
/** Number of best chunks that are searched for the names in the question. */
const CHUNKS_CHECKED_FOR_NAMES = 3;
/** Number of rare words that are compared with sentences. A comparison takes about 3 ms, and more words add nothing. */
const COMPARED_WORDS = 3;
/** Questions with more words count as questions with this many, because further words say little about the subject. */
const MAX_LENGTH = 7;

/** What a search has found out about a question: the input of `weighEvidence`. */
export interface SearchFindings {
  words: TermStatistics[];
  /** The names in the question, in lower case. */
  names: string[];
  chunks: RankedCandidate[];
  /**
   * The size of the namespace, from 0 to 1 (`readRichness`). Missing words count less in a small namespace, because it
   * lacks most words.
   */
  richness: number;
}

const isMentionedIn = (chunks: RankedCandidate[]) => {
  const texts = chunks.map(({ name, headings, text }) => [name, ...headings, text].join(' ').toLowerCase());
  return (name: string): boolean => texts.some((text) => text.includes(name));
};

const rarestWords = (words: TermStatistics[]): string[] =>
  words
    .toSorted((one, other) => one.chunkCount - other.chunkCount)
    .slice(0, COMPARED_WORDS)
    .map(({ word }) => word);

/** Computes the features of a question from its search. */
export function weighEvidence({ words, names, chunks, richness }: SearchFindings): QuestionEvidence {
  const maxScore = words.reduce((max, { score }) => Math.max(max, score), 1);
  const weightOf = ({ chunkCount, score }: TermStatistics) =>
    chunkCount <= MAX_CHUNKS_OF_RARE_WORD ? maxScore : score;
  const total = words.reduce((sum, word) => sum + weightOf(word), 0);
  const missed = words.reduce((sum, word) => sum + weightOf(word) / (word.chunkCount + 1), 0);
  return {
    rareWords: rarestWords(words),
    knownWordShare: total ? 1 - ((missed / total) * (1 + richness)) / 2 : 1,
    bm25Share: total ? chunks.reduce((max, { bm25 }) => Math.max(max, bm25), 0) / total : 0,
    questionLength: Math.log1p(Math.min(words.length, MAX_LENGTH)) / Math.log1p(MAX_LENGTH),
    unmentionedName: names.every(isMentionedIn(chunks.slice(0, CHUNKS_CHECKED_FOR_NAMES))) ? 0 : richness,
  };
}

/**
 * Applies the regression. Without an embedding model, `sentences` is null, and only the words of the question count.
 */
export function judgeAnswerability(question: QuestionEvidence, sentences: SentenceEvidence | null): Answerability {
  const { bias, ...weights } = FEATURE_WEIGHTS[sentences ? 'withSentences' : 'fullTextOnly'];
  const features = { nearestSentence: 0, leastCoveredWord: 0, ...question, ...sentences };
  const names = Object.keys(weights) as (keyof typeof weights)[];
  const logOdds = names.reduce<number>((sum, name) => sum + weights[name] * features[name], bias);
  const confidence = 1 / (1 + Math.exp(-logOdds));
  return { answerable: confidence >= 0.5, confidence };
}
