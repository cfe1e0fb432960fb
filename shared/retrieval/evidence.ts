/** Whether passages answer a question at all: a small logistic rule, fitted on the tuning questions (see the bench). */
import { cosine } from './cosine.ts';
import { type KnownWord, MOST_WORDS } from './knowledge.ts';
import type { Ranked } from './rank.ts';
import type { Subject } from './subject.ts';

/** A verdict; `confidence` is between 0 and 1, from a half on the question counts as answerable. */
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
  /** BM25 of the best passage, as a share of what all the question's words together could give. */
  match: number;
  /**
   * How close a missing word is to the namespace's subject: a word of the field that the namespace never uses is another
   * product or library ("openpyxl"), a missing word of everyday life ("daughter") is part of the story.
   */
  stranger: number;
  /** How long the question is: no passage is as near to a long story as one is to a few words. */
  length: number;
  /** That the question names something ("Django", "MySQL") which none of the best passages mentions; says less in a small namespace. */
  unnamed: number;
  /** How much the namespace holds: among many passages one is near to anything by chance. */
  richness: number;
}

/** What each sign adds to the logarithm of the odds. */
const RULES = {
  hybrid: {
    meaning: 13.1,
    known: 5.4,
    match: 0,
    stranger: -9.6,
    length: 4.4,
    unnamed: -2.5,
    richness: -0.4,
    bias: -11.6,
  },
  'full text': { meaning: 0, known: 10.6, match: 5.6, stranger: 0, length: 0, unnamed: 0, richness: 0, bias: -9.4 },
} as const;

/** How retrieval worked: with vectors, or without. */
export type Mode = keyof typeof RULES;

/** A word in no more passages than this is as telling as the most telling word of the question. */
const RARE = 3;
/** Best passages in which what the question names is looked for. */
const TELLING = 3;
/** A word in no more passages than this counts as missing. */
export const MISSING = 1;

/** What the signs are read from; `strangers` are the vectors of the missing words. */
export interface Findings {
  words: KnownWord[];
  /** In lower case. */
  names: string[];
  passages: Ranked[];
  strangers: Float32Array[];
  subject: Subject;
}

const isNamedBy = (passages: Ranked[]) => {
  const told = passages.map(({ name, headings, text }) => [name, ...headings, text].join(' ').toLowerCase());
  return (name: string): boolean => told.some((text) => text.includes(name));
};

/** The signs; in a small namespace a missing word says little, as most words are missing. */
export function signsOf({ words, names, passages, strangers, subject }: Findings): Signs {
  const most = words.reduce((top, { score }) => Math.max(top, score), 1);
  const weightOf = ({ passages, score }: KnownWord) => (passages <= RARE ? most : score);
  const total = words.reduce((sum, word) => sum + weightOf(word), 0);
  const missed = words.reduce((sum, word) => sum + weightOf(word) / (word.passages + 1), 0);
  const { direction, richness } = subject;
  return {
    meaning: passages.reduce((top, { meaning }) => Math.max(top, meaning), 0),
    known: total ? 1 - ((missed / total) * (1 + richness)) / 2 : 1,
    match: total ? passages.reduce((top, { words }) => Math.max(top, words), 0) / total : 0,
    stranger: richness * Math.max(0, ...strangers.map((vector) => cosine(vector, direction))),
    length: Math.log1p(words.length) / Math.log1p(MOST_WORDS),
    unnamed: names.every(isNamedBy(passages.slice(0, TELLING))) ? 0 : richness,
    richness,
  };
}

/** The verdict on signs. */
export function judge(signs: Signs, mode: Mode): Evidence {
  const { bias, ...weights } = RULES[mode];
  const names = Object.keys(weights) as (keyof Signs)[];
  const odds = names.reduce<number>((sum, name) => sum + weights[name] * signs[name], bias);
  const confidence = 1 / (1 + Math.exp(-odds));
  return { answerable: confidence >= 0.5, confidence };
}
