/** Labelled questions, and the quality of page rankings for them (see test/data/README.md). */
import { readFileSync } from 'node:fs';

/** A question and its labels. */
export interface Question {
  question: string;
  /** The pages that answer the question; none if the site cannot answer it. */
  pages: string[];
  /** Whether an unanswerable question is about the site's subject. */
  near?: boolean;
}

/** The questions of a set below test/data. */
export const questionsOf = (path: string): Question[] =>
  (JSON.parse(readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8')) as { questions: Question[] })
    .questions;

export const isAnswerable = ({ pages }: Question): boolean => pages.length > 0;

/** Recall of pages at 1 and at 5, and mean reciprocal rank; each from 0 to 1. */
export interface Quality {
  recall1: number;
  recall5: number;
  mrr: number;
}

/** Quality of rankings; `ranked[i]` contains the pages found for the i-th question, best first, without duplicates. */
export function qualityOf(questions: Question[], ranked: string[][]): Quality {
  const ranks = questions.map(({ pages }, index) => (ranked[index] ?? []).findIndex((page) => pages.includes(page)));
  const share = (counts: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + counts(rank), 0) / (questions.length || 1);
  return {
    recall1: share((rank) => (rank === 0 ? 1 : 0)),
    recall5: share((rank) => (rank >= 0 && rank < 5 ? 1 : 0)),
    mrr: share((rank) => (rank < 0 ? 0 : 1 / (rank + 1))),
  };
}
