/** Computes figures that measure the quality of a knowledge base. */
import type { EvaluatedQuestion } from './evaluate.ts';
import { isAnswerable, pageOfSource } from './question-file.ts';

/** A share or mean is between 0 and 1. A figure is null if there are no questions or citations to compute it from. */
export interface Figures {
  answerable: number;
  unanswerable: number;
  /** Shares of the answerable questions with a correct page in first place, or among the first five. */
  recall1: number | null;
  recall5: number | null;
  /** The mean reciprocal rank of the first correct page; 0 for a question without one. */
  mrr: number | null;
  /** The share of correct pages among the citations in the answers to answerable questions. */
  citationPrecision: number | null;
  /** The share of answerable questions whose answer cites a correct page. */
  citationRecall: number | null;
  /**
   * Of the answerable questions with `facts`: the share whose answer contains one of the facts, and the share whose
   * chunks contain one of them.
   */
  factInAnswer: number | null;
  factInChunks: number | null;
  /** The share of the answerable questions that were refused: the knowledge base returned "no answer". */
  falseRefusals: number | null;
  /** The shares of the unanswerable questions, and of those on a subject related to the contents, that were refused. */
  refused: number | null;
  refusedNear: number | null;
  /** The median and the 95th percentile of the time per question, in milliseconds. */
  msMedian: number | null;
  ms95: number | null;
}

const share = <T>(items: T[], matches: (item: T) => boolean): number | null =>
  items.length ? items.filter(matches).length / items.length : null;

const mean = (values: number[]): number | null =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

const quantile = (values: number[], part: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? null;

/** Returns the rank of the first correct page, counted from 0; -1 if none was found. */
const rankOf = (result: EvaluatedQuestion): number =>
  result.found.findIndex((source) => pageOfSource(result, source) !== undefined);

const isCorrectCitation = ([result, source]: [EvaluatedQuestion, string]): boolean =>
  pageOfSource(result, source) !== undefined;

const citationsOf = (result: EvaluatedQuestion): [EvaluatedQuestion, string][] =>
  result.cited.map((source) => [result, source]);

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\\`*]/g, '')
    .replace(/\s+/g, ' ');

const hasFact = ({ facts = [] }: EvaluatedQuestion, text: string): boolean =>
  facts.some((fact) => normalize(text).includes(normalize(fact)));

/** Returns the figures of evaluated questions. */
export function figuresOf(results: EvaluatedQuestion[]): Figures {
  const answerable = results.filter(isAnswerable);
  const unanswerable = results.filter((result) => !isAnswerable(result));
  const withFacts = answerable.filter(({ facts }) => facts);
  const isRefused = ({ refused }: EvaluatedQuestion) => refused;
  const times = results.map(({ ms }) => ms);
  return {
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    recall1: share(answerable, (result) => rankOf(result) === 0),
    recall5: share(answerable, (result) => rankOf(result) >= 0 && rankOf(result) < 5),
    mrr: mean(answerable.map((result) => (rankOf(result) < 0 ? 0 : 1 / (rankOf(result) + 1)))),
    citationPrecision: share(answerable.flatMap(citationsOf), isCorrectCitation),
    citationRecall: share(answerable, (result) => citationsOf(result).some(isCorrectCitation)),
    factInAnswer: share(withFacts, (result) => hasFact(result, result.answer)),
    factInChunks: share(withFacts, (result) => hasFact(result, result.chunkTexts.join('\n'))),
    falseRefusals: share(answerable, isRefused),
    refused: share(unanswerable, isRefused),
    refusedNear: share(
      unanswerable.filter(({ near }) => near),
      isRefused,
    ),
    msMedian: quantile(times, 0.5),
    ms95: quantile(times, 0.95),
  };
}

/** Returns the figures of all questions as `all`, and those of each kind of question. */
export function figuresByKind(results: EvaluatedQuestion[]): Record<string, Figures> {
  const kinds = Map.groupBy(
    results.filter(({ kind }) => kind),
    ({ kind }) => kind as string,
  );
  return { all: figuresOf(results), ...Object.fromEntries([...kinds].map(([kind, some]) => [kind, figuresOf(some)])) };
}
