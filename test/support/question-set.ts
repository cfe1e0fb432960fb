/** Labelled questions, and how well a ranking of pages serves them (see test/data/README.md). */
import { readFileSync } from 'node:fs';

/** A question; without pages the site cannot answer it, `near` tells whether it is about the site's subject. */
export interface Question {
  question: string;
  pages: string[];
  near?: boolean;
}

/** The questions of a set below test/data. */
export const questionsOf = (path: string): Question[] =>
  (JSON.parse(readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8')) as { questions: Question[] })
    .questions;

export const answerable = ({ pages }: Question): boolean => pages.length > 0;

/** Recall at 1 and 5 by page and mean reciprocal rank, between 0 and 1. */
export interface Quality {
  recall1: number;
  recall5: number;
  mrr: number;
}

/** How good rankings are: `ranked[i]` are the pages found for the i-th question, best first, each once. */
export function qualityOf(questions: Question[], ranked: string[][]): Quality {
  const places = questions.map(({ pages }, at) => (ranked[at] ?? []).findIndex((page) => pages.includes(page)));
  const share = (counts: (place: number) => number) =>
    places.reduce((sum, place) => sum + counts(place), 0) / (questions.length || 1);
  return {
    recall1: share((place) => (place === 0 ? 1 : 0)),
    recall5: share((place) => (place >= 0 && place < 5 ? 1 : 0)),
    mrr: share((place) => (place < 0 ? 0 : 1 / (place + 1))),
  };
}
