/** Labelled questions, and how well a ranking of pages serves them (see test/data/README.md). */
import { readFileSync } from 'node:fs';

/** A question. Without pages the site cannot answer it; `near`: it is about the site's subject. */
export interface Question {
  question: string;
  pages: string[];
  near?: boolean;
}

/** The questions of a set below test/data. */
export const questionsOf = (path: string): Question[] =>
  (JSON.parse(readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8')) as { questions: Question[] })
    .questions;

export const isAnswerable = ({ pages }: Question): boolean => pages.length > 0;

/** Recall at 1 and 5 by page and mean reciprocal rank, between 0 and 1. */
export interface Quality {
  recall1: number;
  recall5: number;
  mrr: number;
}

/** Quality of rankings: `ranked[i]` are the pages found for the i-th question, best first, each once. */
export function qualityOf(questions: Question[], ranked: string[][]): Quality {
  const ranks = questions.map(({ pages }, at) => (ranked[at] ?? []).findIndex((page) => pages.includes(page)));
  const share = (counts: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + counts(rank), 0) / (questions.length || 1);
  return {
    recall1: share((rank) => (rank === 0 ? 1 : 0)),
    recall5: share((rank) => (rank >= 0 && rank < 5 ? 1 : 0)),
    mrr: share((rank) => (rank < 0 ? 0 : 1 / (rank + 1))),
  };
}
