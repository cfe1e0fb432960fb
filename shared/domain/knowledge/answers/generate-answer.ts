/**
 * Answers a question from retrieved chunks. The chat model writes the answer from the chunks alone. Without a chat
 * model, the answer consists of the best sentences of the chunks.
 */
import { chat, chatStream, isChatConfigured } from '../../../ai/chat-model.ts';
import { AppError } from '../../../errors.ts';
import { type Citation, extractAnswer } from '../retrieval/extract-answer.ts';
import type { RetrievalResult, RetrievedChunk } from '../retrieval/retrieve.ts';
import { buildPrompt, NO_ANSWER_MARK, type PromptInput } from './prompt.ts';
import { textAfter, sanitizeAnswer, sanitizePartialAnswer } from './sanitize-answer.ts';
import { assertTokensLeft, estimateTokens, recordTokens, type TokenUsage } from './token-budget.ts';

/**
 * A streamed answer is sanitized again when it has grown by this share. Sanitizing takes time proportional to the
 * length of the answer, so sanitizing after every piece would take quadratic time.
 */
const MIN_GROWTH = 1 / 64;

/** A validated question with its options. */
export interface AnswerInput extends PromptInput {
  model?: string | null;
  max_tokens: number;
  temperature: number;
  top_p?: number;
  citations: boolean;
}

/** The project whose token budget pays for the answer, and the signal that is aborted when the caller disconnects. */
interface AnswerContext {
  project: string;
  signal: AbortSignal;
}

/** An answer with its sources; `success` is false if the knowledge base does not contain an answer. */
export interface AnswerResult {
  answer: string;
  success: boolean;
  model: string;
  promptTokens: number;
  usedChunks: RetrievedChunk[];
  citations: Citation[];
}

/** The text that is returned if the knowledge base does not contain an answer. */
export const NO_ANSWER_TEXT = 'I could not find an answer to this in the knowledge base.';

const noAnswerFound = (model: string, promptTokens = 0): AnswerResult => ({
  answer: NO_ANSWER_TEXT,
  success: false,
  model,
  promptTokens,
  usedChunks: [],
  citations: [],
});

const toCitation = ({ source, name }: RetrievedChunk, index: number): Citation => ({
  source_id: index + 1,
  source_name: name,
  source,
});

/** Returns the citations of the chunks that the text cites as `[n]`, or of all chunks if the text cites none. */
const citedSources = (text: string, chunks: RetrievedChunk[]): Citation[] => {
  const citedNumbers = new Set([...text.matchAll(/\[(\d{1,2})\]/g)].map(([, number]) => Number(number)));
  const citations = chunks.map(toCitation);
  const cited = citations.filter(({ source_id }) => citedNumbers.has(source_id));
  return cited.length ? cited : citations;
};

const chatRequest = (input: AnswerInput, chunks: RetrievedChunk[], signal: AbortSignal) => ({
  model: input.model || undefined,
  messages: buildPrompt(input, chunks),
  maxTokens: input.citations ? Math.max(input.max_tokens, 1024) : input.max_tokens,
  temperature: input.temperature,
  topP: input.top_p,
  signal,
});

const sourceUrls = (chunks: RetrievedChunk[]): string[] => chunks.map(({ source }) => source);

const toAnswerResult = (
  text: string,
  { model, promptTokens }: { model: string; promptTokens: number },
  chunks: RetrievedChunk[],
): AnswerResult => {
  const answer = sanitizeAnswer(text, sourceUrls(chunks));
  if (text.includes(NO_ANSWER_MARK) || !answer)
    return { ...noAnswerFound(model, promptTokens), ...(answer ? { answer } : {}) };
  return { answer, success: true, model, promptTokens, usedChunks: chunks, citations: citedSources(answer, chunks) };
};

const extractiveAnswer = async (
  { question, chunks, answerability }: RetrievalResult,
  context: AnswerContext,
): Promise<AnswerResult> => {
  if (!answerability.answerable) return noAnswerFound('extractive');
  const { answer, citations, usedChunks } = await extractAnswer(question, chunks, context);
  return answer
    ? { answer, success: true, model: 'extractive', promptTokens: 0, usedChunks, citations }
    : noAnswerFound('extractive');
};

type ProviderUsage = { input_tokens: number; output_tokens: number };

/** Returns the provider's token counts, or an estimate if the provider does not report them. */
const tokenUsageOf = ({ messages }: ReturnType<typeof chatRequest>, text: string, usage?: ProviderUsage): TokenUsage =>
  usage?.input_tokens
    ? { prompt: usage.input_tokens, completion: usage.output_tokens }
    : estimateTokens(messages, text);

const shouldCallModel = ({ chunks }: RetrievalResult): boolean => chunks.length > 0 && isChatConfigured();

/** Called if there are no chunks or no chat model. */
const answerWithoutCallingModel = async (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: AnswerContext,
): Promise<AnswerResult> => {
  if (isChatConfigured()) return noAnswerFound(input.model || 'none');
  if (!retrieval.chunks.length) return noAnswerFound('extractive');
  return extractiveAnswer(retrieval, context);
};

/** Returns the complete answer. Throws 429 if the project has used up its daily tokens, and the provider's errors. */
export const generateAnswer = async (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: AnswerContext,
): Promise<AnswerResult> => {
  if (!shouldCallModel(retrieval)) return answerWithoutCallingModel(input, retrieval, context);
  assertTokensLeft(context.project);
  const request = chatRequest(input, retrieval.chunks, context.signal);
  try {
    const { text, model, usage } = await chat(request);
    await recordTokens(context.project, tokenUsageOf(request, text, usage));
    return toAnswerResult(text, { model, promptTokens: usage.input_tokens }, retrieval.chunks);
  } catch (error) {
    // The provider has processed the prompt, so its tokens are counted even though the caller has disconnected.
    if (context.signal.aborted) await recordTokens(context.project, tokenUsageOf(request, ''));
    throw error;
  }
};

async function* streamWithoutModel(
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: AnswerContext,
): AsyncGenerator<string, AnswerResult> {
  const result = await answerWithoutCallingModel(input, retrieval, context);
  yield result.answer;
  return result;
}

async function* streamFromModel(
  request: ReturnType<typeof chatRequest>,
  { chunks }: RetrievalResult,
  { project, signal }: AnswerContext,
): AsyncGenerator<string, AnswerResult> {
  let text = '';
  let displayed = '';
  let sanitizedLength = 0;
  let usage: ProviderUsage | undefined;
  try {
    for await (const piece of chatStream(request)) {
      if ('done' in piece) {
        usage = piece.done.usage;
        const { model } = piece.done;
        const result = toAnswerResult(text, { model, promptTokens: usage.input_tokens }, chunks);
        const rest = textAfter(result.answer, displayed);
        if (rest) yield rest;
        return result;
      }
      text += piece.text;
      if (text.length - sanitizedLength < text.length * MIN_GROWTH) continue;
      sanitizedLength = text.length;
      const rest = textAfter(sanitizePartialAnswer(text, sourceUrls(chunks)), displayed);
      if (rest) yield rest;
      displayed += rest;
    }
    throw new AppError(502, 'AI_BAD_ANSWER', 'The model did not finish its answer');
  } finally {
    if (usage || text || signal.aborted) await recordTokens(project, tokenUsageOf(request, text, usage));
  }
}

/**
 * Yields an answer in pieces and returns the complete answer. Throws the errors of `generateAnswer`. The 429 is thrown
 * by the call itself, before the iteration starts.
 */
export const streamAnswer = (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: AnswerContext,
): AsyncGenerator<string, AnswerResult> => {
  if (!shouldCallModel(retrieval)) return streamWithoutModel(input, retrieval, context);
  assertTokensLeft(context.project);
  return streamFromModel(chatRequest(input, retrieval.chunks, context.signal), retrieval, context);
};
