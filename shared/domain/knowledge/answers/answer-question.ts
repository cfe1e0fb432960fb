/**
 * Answers a question from a knowledge base: completes it from the chat history, searches the chunks, answers it with a
 * FAQ, with the chat model or with extracted sentences, and logs it as answered or unanswered.
 */
import { isChatConfigured } from '../../../ai/chat-model.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';
import { answeredQuestions, unansweredQuestions } from '../question-log/question-logs.ts';
import type { RetrievalResult } from '../retrieval/retrieve.ts';
import { findChunks } from '../search.ts';
import type { AnswerResult } from './answer-result.ts';
import { answerFromFaq, MIN_CHUNKS_WITH_FAQ } from './faq/find-faq.ts';
import { type AnswerInput, generateAnswer, streamAnswer } from './generate-answer.ts';
import { completeQuestion, type SearchTextInput, searchText } from './search-text.ts';
import { countedTokens } from './token-budget.ts';

/** A validated question with its options. */
export interface Question extends AnswerInput, SearchTextInput, Omit<Parameters<typeof findChunks>[1], 'question'> {
  /** The conversation in which the question was asked. It is logged. */
  request_id?: string;
  /** The person who asked the question. It is logged. */
  sender?: string;
}

/** The results of a search: the completed question, the chunks, and the answer of a FAQ with the same question. */
interface QuestionSearch {
  completed: string;
  retrieval: RetrievalResult;
  faqAnswer: AnswerResult | null;
}

/** Finds the chunks for a question, without answering it. */
export const searchChunks = async (
  key: NamespaceKey,
  input: Question,
  signal: AbortSignal,
): Promise<{ completed: string; retrieval: RetrievalResult }> => {
  const context = { project: key.id_project, signal };
  const completed = await completeQuestion(input, context);
  const question = await searchText(completed, input, context);
  return { completed, retrieval: await findChunks(key, { ...input, question }, signal) };
};

/** Finds the chunks for a question, and a FAQ with the same question among them. */
export const searchQuestion = async (
  key: NamespaceKey,
  input: Question,
  signal: AbortSignal,
): Promise<QuestionSearch> => {
  const limit = Math.max(input.top_k, MIN_CHUNKS_WITH_FAQ);
  const { completed, retrieval } = await searchChunks(key, { ...input, top_k: limit }, signal);
  const faqAnswer = await answerFromFaq(key, [input.question, completed], retrieval.chunks);
  return { completed, retrieval: { ...retrieval, chunks: retrieval.chunks.slice(0, input.top_k) }, faqAnswer };
};

/** A question and the results of its search. */
interface SearchedQuestion {
  input: Question;
  search: QuestionSearch;
  /** Whether the question is logged if it is not answered; default true. */
  logsUnanswered?: boolean;
}

/** Records a question and its answer in the log. */
const record = async (
  { id_project, namespace }: NamespaceKey,
  { input, logsUnanswered = true }: SearchedQuestion,
  result: AnswerResult,
): Promise<AnswerResult> => {
  const { question, request_id, sender } = input;
  const entry = { namespace, question, ...(request_id ? { request_id } : {}) };
  if (result.success) {
    const tokens = countedTokens(input.model, result.promptTokens);
    await answeredQuestions.add(id_project, { ...entry, answer: result.answer, tokens });
  } else if (logsUnanswered) await unansweredQuestions.add(id_project, { ...entry, ...(sender ? { sender } : {}) });
  return result;
};

/**
 * Returns the question to answer, with its options: the original question if the chat model receives the chat history
 * as well, otherwise the completed question.
 */
const inputFor = (input: Question, { completed }: QuestionSearch): Question =>
  isChatConfigured() && input.include_history_in_prompt ? input : { ...input, question: completed };

/** Answers a searched question and records it. */
export const answerQuestion = async (
  key: NamespaceKey,
  searched: SearchedQuestion,
  signal: AbortSignal,
): Promise<AnswerResult> => {
  const { input, search } = searched;
  const context = { project: key.id_project, signal };
  const result = search.faqAnswer ?? (await generateAnswer(inputFor(input, search), search.retrieval, context));
  return record(key, searched, result);
};

async function* streamFaq(answer: AnswerResult): AsyncGenerator<string, AnswerResult> {
  yield answer.answer;
  return answer;
}

/** Yields the answer in pieces, records the question, and returns the complete answer. */
export async function* streamAnswerTo(
  key: NamespaceKey,
  searched: SearchedQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, AnswerResult> {
  const { input, search } = searched;
  const context = { project: key.id_project, signal };
  const result = yield* search.faqAnswer
    ? streamFaq(search.faqAnswer)
    : streamAnswer(inputFor(input, search), search.retrieval, context);
  return record(key, searched, result);
}
