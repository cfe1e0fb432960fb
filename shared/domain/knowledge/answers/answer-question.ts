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
import type { CachedCallContext } from './cached-calls.ts';
import { type AnswerInput, generateAnswer, streamAnswer } from './generate-answer.ts';
import { rerankChunks, rerankedCount, type RerankingInput } from './rerank-chunks.ts';
import { completeQuestion, type SearchTextInput, searchText } from './search-text.ts';
import { summarizeHistory, type SummaryInput } from './summarize-history.ts';
import { reportedPromptTokens } from './token-budget.ts';

/** A validated question with its options. */
export interface Question
  extends AnswerInput,
    SearchTextInput,
    SummaryInput,
    RerankingInput,
    Omit<Parameters<typeof findChunks>[1], 'question'> {
  /** Whether texts that the chat model has written for identical requests are reused. */
  use_cache?: boolean;
  /** The id of the conversation in which the question was asked; logged with the question. */
  request_id?: string;
  /** The person who asked the question; logged only if the question is not answered. */
  sender?: string;
}

/** The results of a search: the completed question, the (possibly summarized) chat history, and the chunks. */
interface ChunkSearch {
  completed: string;
  history: Question['chat_history_dict'];
  retrieval: RetrievalResult;
}

/** The results of a search for chunks, and the answer of a FAQ with the same question. */
interface QuestionSearch extends ChunkSearch {
  faqAnswer: AnswerResult | null;
}

const contextOf = ({ id_project, namespace }: NamespaceKey, { use_cache }: Question, signal: AbortSignal) => {
  const context: CachedCallContext = { project: id_project, signal };
  return use_cache ? { ...context, cacheNamespace: namespace } : context;
};

/** Finds the chunks for a question, without answering it. Returns at most `count` chunks. */
export const searchChunks = async (
  key: NamespaceKey,
  input: Question,
  { signal, count = input.top_k }: { signal: AbortSignal; count?: number },
): Promise<ChunkSearch> => {
  const context = contextOf(key, input, signal);
  const history = await summarizeHistory(input, context);
  const completed = await completeQuestion({ ...input, chat_history_dict: history }, context);
  const question = await searchText(completed, input, context);
  const top_k = Math.max(count, input.reranking ? rerankedCount(input) : 0);
  const found = await findChunks(key, { ...input, question, top_k }, signal);
  // With `use_hyde`, the text of the search also contains a passage that the model has written as a possible answer.
  const questionToCompare = input.use_hyde ? completed : found.question;
  const retrieval = input.reranking ? await rerankChunks(found, questionToCompare, context) : found;
  return { completed, history, retrieval: withChunks(retrieval, count) };
};

const withChunks = (retrieval: RetrievalResult, count: number): RetrievalResult => ({
  ...retrieval,
  chunks: retrieval.chunks.slice(0, count),
});

/** Finds the chunks for a question, and a FAQ with the same question among them. */
export const searchQuestion = async (
  key: NamespaceKey,
  input: Question,
  signal: AbortSignal,
): Promise<QuestionSearch> => {
  const count = Math.max(input.top_k, MIN_CHUNKS_WITH_FAQ);
  const { retrieval, ...search } = await searchChunks(key, input, { signal, count });
  const faqAnswer = await answerFromFaq(key, [input.question, search.completed], retrieval.chunks);
  return { ...search, retrieval: withChunks(retrieval, input.top_k), faqAnswer };
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
    const tokens = reportedPromptTokens(input.model, result.promptTokens);
    await answeredQuestions.add(id_project, { ...entry, answer: result.answer, tokens });
  } else if (logsUnanswered) await unansweredQuestions.add(id_project, { ...entry, ...(sender ? { sender } : {}) });
  return result;
};

/**
 * Returns the question to answer, with its options: the original question if the chat model receives the chat history
 * as well, otherwise the completed question.
 */
const inputFor = (input: Question, { completed, history }: QuestionSearch): Question =>
  isChatConfigured() && input.include_history_in_prompt
    ? { ...input, chat_history_dict: history }
    : { ...input, question: completed };

/** Answers a searched question and records it. */
export const answerQuestion = async (
  key: NamespaceKey,
  searched: SearchedQuestion,
  signal: AbortSignal,
): Promise<AnswerResult> => {
  const { input, search } = searched;
  const context = contextOf(key, input, signal);
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
  const context = contextOf(key, input, signal);
  const result = yield* search.faqAnswer
    ? streamFaq(search.faqAnswer)
    : streamAnswer(inputFor(input, search), search.retrieval, context);
  return record(key, searched, result);
}
