/**
 * Answers a question from retrieved chunks. The chat model writes the answer from the chunks alone. Without a chat
 * model, the answer consists of the best sentences of the chunks.
 */
import { isChatConfigured, type Thinking } from '../../../ai/chat-model.ts';
import { extractAnswer } from '../retrieval/extract-answer.ts';
import type { RetrievalResult } from '../retrieval/retrieve.ts';
import { type AnswerResult, answerFromStoredText, noAnswerFound, toAnswerResult } from './answer-result.ts';
import { type CachedCallContext, findText, keepText } from './cached-calls.ts';
import { callModel, type ModelCall, type ModelRequest, streamModel } from './model-calls.ts';
import { buildPrompt, type Prompt, type PromptInput } from './prompt.ts';
import { sanitizePartialAnswer, textAfter } from './sanitize-answer.ts';

/**
 * A streamed answer is sanitized again when this share of its text is new. Sanitizing takes time proportional to the
 * length of the answer, so sanitizing after every piece would take quadratic time.
 */
const MIN_GROWTH = 1 / 64;
/**
 * An answer with citations may have up to this many tokens, even if `max_tokens` is lower. Deployed clients rely on
 * this rule.
 */
const MIN_TOKENS_WITH_CITATIONS = 1024;

/** A validated question with its options. */
export interface AnswerInput extends PromptInput {
  model?: string | null;
  max_tokens: number;
  temperature: number;
  top_p?: number;
  thinking?: Thinking;
  citations: boolean;
}

const toRequest = (input: AnswerInput, { messages }: Prompt): ModelRequest => ({
  model: input.model,
  messages,
  maxTokens: input.citations ? Math.max(input.max_tokens, MIN_TOKENS_WITH_CITATIONS) : input.max_tokens,
  temperature: input.temperature,
  topP: input.top_p,
  thinking: input.thinking,
});

const toResult = ({ text, model, tokens }: ModelCall & { text: string }, { question }: AnswerInput, prompt: Prompt) =>
  toAnswerResult({ text, question, model, promptTokens: tokens.prompt }, prompt.chunks);

const extractiveAnswer = async (retrieval: RetrievalResult, context: CachedCallContext): Promise<AnswerResult> => {
  const { answer, citations, usedChunks, answerability } = await extractAnswer(retrieval, context);
  const { answerable, confidence } = answerability;
  if (!answerable || !answer) return { ...noAnswerFound('extractive'), confidence };
  return { ...answerFromStoredText('extractive', { answer, usedChunks, citations }), confidence };
};

const shouldCallModel = ({ chunks }: RetrievalResult): boolean => chunks.length > 0 && isChatConfigured();

/**
 * Called if no chunk was found, or if no chat model is configured. In the first case, the result is that there is no
 * answer; in the second case, the answer quotes the chunks.
 */
const answerWithoutCallingModel = async (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: CachedCallContext,
): Promise<AnswerResult> => {
  if (!retrieval.chunks.length) return noAnswerFound(isChatConfigured() ? input.model || 'none' : 'extractive');
  return extractiveAnswer(retrieval, context);
};

/** Returns the complete answer. Throws the errors of `callModel`. */
export const generateAnswer = async (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: CachedCallContext,
): Promise<AnswerResult> => {
  if (!shouldCallModel(retrieval)) return answerWithoutCallingModel(input, retrieval, context);
  const prompt = buildPrompt(input, retrieval.chunks);
  const request = toRequest(input, prompt);
  const kept = findText(request, context);
  if (kept) return { ...toResult(kept, input, prompt), isCached: true };
  const call = await callModel(request, context);
  const result = toResult(call, input, prompt);
  if (result.success) keepText(request, context, call);
  return result;
};

async function* streamWithoutModel(
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: CachedCallContext,
): AsyncGenerator<string, AnswerResult> {
  const result = await answerWithoutCallingModel(input, retrieval, context);
  yield result.answer;
  return result;
}

/** Collects the pieces of a model's text. Returns the new part of the sanitized answer after each piece. */
class PartialAnswer {
  text = '';
  #displayed = '';
  #sanitizedLength = 0;
  readonly #sources: string[];

  constructor({ chunks }: Prompt) {
    this.#sources = chunks.map(({ source }) => source);
  }

  /** Adds a piece and returns the text to display, which may be empty. */
  add(piece: string): string {
    this.text += piece;
    if (this.text.length - this.#sanitizedLength < this.text.length * MIN_GROWTH) return '';
    this.#sanitizedLength = this.text.length;
    const rest = this.restOf(sanitizePartialAnswer(this.text, this.#sources));
    this.#displayed += rest;
    return rest;
  }

  /** Returns the part of a sanitized answer that has not been displayed yet. */
  restOf(sanitized: string): string {
    return textAfter(sanitized, this.#displayed);
  }
}

async function* streamFromModel(
  input: AnswerInput,
  { prompt, request }: { prompt: Prompt; request: ModelRequest },
  context: CachedCallContext,
): AsyncGenerator<string, AnswerResult> {
  const partial = new PartialAnswer(prompt);
  const stream = streamModel(request, context);
  try {
    for (;;) {
      const { done, value } = await stream.next();
      if (!done) {
        const rest = partial.add(value);
        if (rest) yield rest;
        continue;
      }
      const call = { ...value, text: partial.text };
      const result = toResult(call, input, prompt);
      if (result.success) keepText(request, context, call);
      const rest = partial.restOf(result.answer);
      if (rest) yield rest;
      return result;
    }
  } finally {
    await stream.return(undefined as never); // ends the call if the consumer has stopped reading
  }
}

async function* streamWithModel(
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: CachedCallContext,
): AsyncGenerator<string, AnswerResult> {
  const prompt = buildPrompt(input, retrieval.chunks);
  const request = toRequest(input, prompt);
  const kept = findText(request, context);
  if (!kept) return yield* streamFromModel(input, { prompt, request }, context);
  const result = { ...toResult(kept, input, prompt), isCached: true };
  yield result.answer;
  return result;
}

/** Yields an answer in pieces and returns the complete answer. Throws the errors of `generateAnswer`. */
export const streamAnswer = (
  input: AnswerInput,
  retrieval: RetrievalResult,
  context: CachedCallContext,
): AsyncGenerator<string, AnswerResult> =>
  shouldCallModel(retrieval)
    ? streamWithModel(input, retrieval, context)
    : streamWithoutModel(input, retrieval, context);
