/** Whether passages answer a question at all: a small logistic rule, fitted on the tuning questions (see the bench). */
import { embeddedText } from '../domain/chunks.ts';
import type { KnownWord } from './knowledge.ts';
import type { Ranked } from './rank.ts';
import { isAmong, stemsOf } from './words.ts';

/** A verdict; `confidence` is between 0 and 1 and comparable between questions of one mode. */
export interface Evidence {
  answerable: boolean;
  confidence: number;
}

/** What the verdict rests on, each between 0 and 1. */
export interface Signs {
  /** Cosine of the nearest passage. */
  meaning: number;
  /** Weighted share of the question's words that the namespace uses; a word in few passages counts in part. */
  known: number;
  /** Weighted share of the question's words that stand together in one of the best passages. */
  covered: number;
}

/** Passages looked at for words that stand together. */
const LOOKED_AT = 10;
/** A word in no more passages than this is as telling as the most telling word of the question. */
const RARE = 3;

const RULES = {
  hybrid: { meaning: 13, known: 4, covered: 3, bias: -9, least: 0.4 },
  'full text': { meaning: 0, known: 5, covered: 5, bias: -6, least: 0.4 },
} as const;

/** How retrieval worked: with vectors, or without. */
export type Mode = keyof typeof RULES;

/** The signs of a question's words and its best passages. */
export function signsOf(words: KnownWord[], passages: Ranked[]): Signs {
  const most = words.reduce((top, { score }) => Math.max(top, score), 1);
  const weightOf = ({ passages, score }: KnownWord) => (passages <= RARE ? most : score);
  const total = words.reduce((sum, word) => sum + weightOf(word), 0);
  const share = (part: (word: KnownWord) => number) =>
    total ? words.reduce((sum, word) => sum + part(word) * weightOf(word), 0) / total : 1;
  const coverages = passages.slice(0, LOOKED_AT).map((passage) => {
    const stems = stemsOf(embeddedText(passage));
    return share(({ word }) => (isAmong(word, stems) ? 1 : 0));
  });
  return {
    meaning: passages.reduce((top, { meaning }) => Math.max(top, meaning), 0),
    known: share(({ passages }) => passages / (passages + 1)),
    covered: Math.max(0, ...coverages),
  };
}

/** The verdict on signs. */
export function judge({ meaning, known, covered }: Signs, mode: Mode): Evidence {
  const rule = RULES[mode];
  const sum = rule.bias + rule.meaning * meaning + rule.known * known + rule.covered * covered;
  const confidence = 1 / (1 + Math.exp(-sum));
  return { answerable: confidence >= rule.least, confidence };
}
