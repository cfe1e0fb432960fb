/** Labelled questions (see test/data/README.md). */
import { readFileSync } from 'node:fs';
import { type EvaluationQuestion, parseQuestions } from '#shared/domain/knowledge/evaluation/question-file.ts';
import { addTypingErrors } from './typing-errors.ts';

/** A question and its labels, such as the pages that answer it. */
export type Question = EvaluationQuestion;

/** The questions of the set at a path in test/data. */
export const questionsOf = (path: string): Question[] =>
  parseQuestions(readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8'), path);

/** The same questions with typing errors, which are the same in each run. */
export const withTypingErrors = (questions: Question[]): Question[] =>
  questions.map((each, index) => ({ ...each, question: addTypingErrors(each.question, index * 7 + 1) }));
