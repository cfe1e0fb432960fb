/**
 * Judges whether chunks answer a question by a logistic regression, which was fitted to the tuning questions of
 * test/bench/retrieval.bench.ts.
 */
import { cosine } from '../../../vectors/vector.ts';
import type { NamespaceProfile } from './namespace-profile.ts';
import type { RankedCandidate } from './rank.ts';
import { MAX_QUESTION_WORDS, type TermStatistics } from './term-statistics.ts';

/** The verdict. `confidence` is between 0 and 1. If it is at least 0.5, the question is answerable. */
export interface Answerability {
  answerable: boolean;
  confidence: number;
}

/** The features of the regression, each between 0 and 1. */
export interface AnswerabilityFeatures {
  /** Cosine similarity of the question and the nearest chunk. */
  nearestCosine: number;
  /**
   * Weighted share of the question's words that occur in the namespace. A word that occurs in few chunks counts only
   * partly.
   */
  knownWordShare: number;
  /** BM25 score of the best chunk, relative to the ideal score over all words of the question. */
  bm25Share: number;
  /**
   * How close a missing word is to the subject of the namespace. A missing technical term ("openpyxl") suggests that
   * the question is about another product; a missing everyday word ("daughter") does not.
   */
  missingWordCloseness: number;
  /** The length of the question, because the cosines of long questions are lower. */
  questionLength: number;
  /**
   * Above 0 if the question contains a name ("Django", "MySQL") that none of the best chunks contains. The value is
   * smaller in a small namespace.
   */
  unmentionedName: number;
  /** The size of the namespace, because a large namespace contains a chunk that is close to any question by chance. */
  richness: number;
}

/** The weight of each feature in the log-odds. */
const FEATURE_WEIGHTS = {
  hybrid: {
    nearestCosine: 13.1,
    knownWordShare: 5.4,
    bm25Share: 0,
    missingWordCloseness: -9.6,
    questionLength: 4.4,
    unmentionedName: -2.5,
    richness: -0.4,
    bias: -11.6,
  },
  'full text': {
    nearestCosine: 0,
    knownWordShare: 10.6,
    bm25Share: 5.6,
    missingWordCloseness: 0,
    questionLength: 0,
    unmentionedName: 0,
    richness: 0,
    bias: -9.4,
  },
} as const;

/** How the chunks were found: with vectors, or by full text only. */
export type SearchMode = keyof typeof FEATURE_WEIGHTS;

/** A word that occurs in at most this many chunks has the weight of the question's most significant word. */
const MAX_CHUNKS_OF_RARE_WORD = 3;
/** Number of best chunks that are searched for the names in the question. */
const CHUNKS_CHECKED_FOR_NAMES = 3;
/** A word that occurs in at most this many chunks is treated as missing. */
export const MAX_CHUNKS_OF_MISSING_WORD = 1;

/** The input of the features; `missingWordVectors` are the vectors of the missing words. */
export interface FeatureInput {
  words: TermStatistics[];
  /** The names in the question, in lower case. */
  names: string[];
  chunks: RankedCandidate[];
  missingWordVectors: Float32Array[];
  profile: NamespaceProfile;
}

const isMentionedIn = (chunks: RankedCandidate[]) => {
  const texts = chunks.map(({ name, headings, text }) => [name, ...headings, text].join(' ').toLowerCase());
  return (name: string): boolean => texts.some((text) => text.includes(name));
};

/** Computes the features. Missing words count less in a small namespace, because it lacks most words. */
export function extractFeatures({
  words,
  names,
  chunks,
  missingWordVectors,
  profile,
}: FeatureInput): AnswerabilityFeatures {
  const maxScore = words.reduce((max, { score }) => Math.max(max, score), 1);
  const weightOf = ({ chunkCount, score }: TermStatistics) =>
    chunkCount <= MAX_CHUNKS_OF_RARE_WORD ? maxScore : score;
  const total = words.reduce((sum, word) => sum + weightOf(word), 0);
  const missed = words.reduce((sum, word) => sum + weightOf(word) / (word.chunkCount + 1), 0);
  const { centroid, richness } = profile;
  return {
    nearestCosine: chunks.reduce((max, chunk) => Math.max(max, chunk.cosine), 0),
    knownWordShare: total ? 1 - ((missed / total) * (1 + richness)) / 2 : 1,
    bm25Share: total ? chunks.reduce((max, { bm25 }) => Math.max(max, bm25), 0) / total : 0,
    missingWordCloseness: richness * Math.max(0, ...missingWordVectors.map((vector) => cosine(vector, centroid))),
    questionLength: Math.log1p(words.length) / Math.log1p(MAX_QUESTION_WORDS),
    unmentionedName: names.every(isMentionedIn(chunks.slice(0, CHUNKS_CHECKED_FOR_NAMES))) ? 0 : richness,
    richness,
  };
}

/** Applies the regression to the features. */
export function judgeAnswerability(features: AnswerabilityFeatures, mode: SearchMode): Answerability {
  const { bias, ...weights } = FEATURE_WEIGHTS[mode];
  const names = Object.keys(weights) as (keyof AnswerabilityFeatures)[];
  const logOdds = names.reduce<number>((sum, name) => sum + weights[name] * features[name], bias);
  const confidence = 1 / (1 + Math.exp(-logOdds));
  return { answerable: confidence >= 0.5, confidence };
}
