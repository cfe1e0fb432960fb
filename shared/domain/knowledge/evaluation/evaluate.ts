/**
 * Asks a knowledge base the questions of a file, one after the other. Searches and answers as the API does, but never
 * answers with a FAQ.
 */
import type { AnswerResult } from '../answers/answer-result.ts';
import { generateAnswer } from '../answers/generate-answer.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';
import type { RetrievalResult } from '../retrieval/retrieve.ts';
import { findChunks } from '../search.ts';
import type { EvaluationQuestion } from './question-file.ts';

/** The result of one question. */
export interface EvaluatedQuestion extends EvaluationQuestion {
  /** The sources of the chunks that were found, best first, each once. */
  found: string[];
  /** The texts of the chunks that the answer was generated or extracted from. */
  chunkTexts: string[];
  /** The cited sources; none if the question was refused (answered with "no answer"). */
  cited: string[];
  refused: boolean;
  confidence: number;
  answer: string;
  ms: number;
}

interface EvaluationOptions {
  /** Number of chunks that an answer is generated or extracted from. */
  topK: number;
  /** The weight of the vector score, from 0 (full text only) to 1 (vectors only). */
  alpha?: number;
  onProgress?: (done: number) => void;
}

/** Number of chunks that are retrieved to rank the pages. */
const DEPTH = 100;

const answerOptions = (question: string) => ({
  question,
  max_tokens: 512,
  temperature: 0,
  citations: true,
  advancedPrompt: false,
  chat_history_dict: {},
  include_history_in_prompt: false,
  max_history_messages: 0,
});

const withoutDuplicates = (values: string[]): string[] => [...new Set(values)];

const toResult = (
  question: EvaluationQuestion,
  { retrieved, answer, topK, ms }: { retrieved: RetrievalResult; answer: AnswerResult; topK: number; ms: number },
): EvaluatedQuestion => ({
  ...question,
  found: withoutDuplicates(retrieved.chunks.map(({ source }) => source)),
  chunkTexts: retrieved.chunks.slice(0, topK).map(({ text }) => text),
  cited: answer.success ? withoutDuplicates(answer.citations.map(({ source }) => source)) : [],
  refused: !answer.success,
  confidence: answer.confidence ?? Number(answer.success),
  answer: answer.success ? answer.answer : '',
  ms,
});

/** Returns the results in the order of the questions. */
export async function evaluate(
  namespaceKey: NamespaceKey,
  questions: EvaluationQuestion[],
  { topK, alpha, onProgress }: EvaluationOptions,
): Promise<EvaluatedQuestion[]> {
  const signal = new AbortController().signal;
  const context = { project: namespaceKey.id_project, signal };
  const results: EvaluatedQuestion[] = [];
  for (const question of questions) {
    const started = performance.now();
    const retrieved = await findChunks(namespaceKey, { question: question.question, top_k: DEPTH, alpha }, signal);
    const chunks = retrieved.chunks.slice(0, topK);
    const answer = await generateAnswer(answerOptions(question.question), { ...retrieved, chunks }, context);
    results.push(toResult(question, { retrieved, answer, topK, ms: performance.now() - started }));
    onProgress?.(results.length);
  }
  return results;
}
