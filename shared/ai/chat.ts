/** Chat completions, whole and streamed. */
import type OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import type { Deadline } from './deadline.ts';
import { badAnswer, failureOf, timedOut, unavailable } from './failure.ts';
import { Provider, type ProviderSettings } from './provider.ts';

/** The settings of a chat; AI_IDLE_TIMEOUT in seconds. */
export type ChatSettings = ProviderSettings & { CHAT_MODEL: string; AI_IDLE_TIMEOUT: number };

/** A question to a chat model; `maxTokens` bounds the answer. */
export interface ChatInput {
  model?: string;
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  maxTokens: number;
  temperature: number;
  topP?: number;
  signal?: AbortSignal;
}

/** Tokens as the provider counted them; zeros where it does not count. */
export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/** A whole answer. */
export interface ChatAnswer {
  text: string;
  model: string;
  usage: TokenUsage;
}

/** A piece of a streamed answer; `done` comes last and once. */
export type ChatPiece = { text: string } | { done: Omit<ChatAnswer, 'text'> };

const usageOf = (usage: OpenAI.CompletionUsage | null | undefined): TokenUsage => ({
  input_tokens: usage?.prompt_tokens ?? 0,
  output_tokens: usage?.completion_tokens ?? 0,
  total_tokens: usage?.total_tokens ?? 0,
});

/** From gpt-5 on models take temperature 1 alone and bound the answer by another name (contract c 3.1). */
const isLate = (model: string) => Number(/^(?:.*\/)?gpt-(\d+)/.exec(model)?.[1] ?? 0) >= 5;

const bounds = (model: string, { maxTokens, temperature, topP }: ChatInput) =>
  isLate(model)
    ? { temperature: 1, max_completion_tokens: maxTokens }
    : { temperature, max_tokens: maxTokens, ...(topP !== undefined && { top_p: topP }) };

const body = (input: ChatInput, standard: string): ChatCompletionCreateParams => {
  const model = input.model ?? standard;
  return { model, messages: input.messages, ...bounds(model, input) };
};

const answerOf = (answer: Partial<ChatCompletion> | null): ChatAnswer => {
  const text = answer?.choices?.[0]?.message?.content;
  if (typeof text !== 'string') throw badAnswer('it holds no text');
  return { text, model: answer?.model ?? '', usage: usageOf(answer?.usage) };
};

/** Items as they come; a silence longer than `seconds` cuts the call. Time the reader takes is not counted. */
async function* awake<T>(items: AsyncIterable<T>, seconds: number, call: Deadline): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => call.cut(timedOut(`${seconds} s of silence in a stream`)), seconds * 1000);
    const step = await iterator.next().finally(() => clearTimeout(timer));
    call.signal.throwIfAborted();
    if (step.done) return;
    yield step.value;
  }
}

async function* pieces(chunks: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<ChatPiece> {
  const done = { model: '', usage: usageOf(null) };
  let finished = false;
  for await (const { choices, model, usage } of chunks) {
    const [choice] = choices ?? [];
    done.model = model || done.model;
    if (usage) done.usage = usageOf(usage);
    if (choice?.finish_reason) finished = true;
    if (choice?.delta?.content) yield { text: choice.delta.content };
  }
  if (!finished) throw unavailable('the stream broke off');
  yield { done };
}

/** The chat of a provider. */
export const makeChat = (settings: ChatSettings) => {
  const provider = new Provider(settings);

  const chat = async (input: ChatInput): Promise<ChatAnswer> => {
    using call = provider.deadline(input.signal);
    const request = { ...body(input, settings.CHAT_MODEL), stream: false as const };
    const answer = await provider.call(
      (client, options) => client.chat.completions.create(request, options),
      call.signal,
    );
    return answerOf(answer);
  };

  async function* chatStream(input: ChatInput): AsyncGenerator<ChatPiece> {
    using call = provider.deadline(input.signal);
    const request = {
      ...body(input, settings.CHAT_MODEL),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    try {
      const open = (client: OpenAI, options: OpenAI.RequestOptions) => client.chat.completions.create(request, options);
      const chunks = await provider.call(open, call.signal);
      yield* pieces(awake(chunks, settings.AI_IDLE_TIMEOUT, call));
    } catch (error) {
      call.signal.throwIfAborted();
      throw failureOf(error).error;
    } finally {
      // The reader may have left in the middle: the provider must not go on writing for nobody.
      call.cut(unavailable('the stream is over'));
    }
  }

  return { chat, chatStream, close: () => provider.close() };
};
