/** Parses question files: questions with the pages that answer them, to measure the quality of a knowledge base. */
import { z } from 'zod';
import { AppError } from '../../../errors.ts';

const EvaluationQuestion = z.object({
  question: z.string().trim().min(1),
  /** The pages that answer the question: URLs, or the ends of their paths. None if the contents do not answer it. */
  pages: z.array(z.string().trim().min(1)),
  /** Whether an unanswerable question is about a subject that is related to the contents. */
  near: z.boolean().optional(),
  /** The kind of the question, such as `how-to`. Figures are also computed for each kind. */
  kind: z.string().optional(),
  /** A correct answer contains at least one of these texts. */
  facts: z.array(z.string().min(1)).min(1).optional(),
});

/** A question with its labels. */
export type EvaluationQuestion = z.output<typeof EvaluationQuestion>;

const QuestionFile = z.object({ questions: z.array(EvaluationQuestion).min(1) });

const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(400, 'INVALID_QUESTIONS', `${file} is not valid JSON (${(error as Error).message}).`);
  }
};

/**
 * Parses a file `{ questions: [{ question, pages, near?, kind?, facts? }] }`. Errors: 400, whose message names the
 * invalid field.
 */
export const parseQuestions = (text: string, file: string): EvaluationQuestion[] => {
  const result = QuestionFile.safeParse(parseJson(text, file));
  if (result.success) return result.data.questions;
  const { path, message } = result.error.issues[0] as z.core.$ZodIssue;
  throw new AppError(
    400,
    'INVALID_QUESTIONS',
    `${file} is invalid at ${path.join('.') || 'the top level'}: ${message}.`,
  );
};

/** Whether the contents of the knowledge base answer a question. */
export const isAnswerable = ({ pages }: EvaluationQuestion): boolean => pages.length > 0;

const withoutSlash = (path: string): string => path.replace(/^\//, '');

/** Returns which of a question's pages matches a source; undefined if none does. */
export const pageOfSource = ({ pages }: EvaluationQuestion, source: string): string | undefined =>
  pages.find((page) => source === page || source.endsWith(`/${withoutSlash(page)}`));
