/** Chat completions, whole or streamed. */
import type OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';
import { type Deadline, Provider, type ProviderSettings } from './provider.ts';
import { badAnswerError, timeoutError, toProviderFailure, unavailableError } from './provider-errors.ts';

/** The settings of a chat client. */
export type ChatSettings = ProviderSettings & { CHAT_MODEL: string; AI_IDLE_TIMEOUT_SECONDS: number };

/** Whether a model reasons before it answers, and the maximum number of reasoning tokens. */
export interface Thinking {
  type: 'enabled' | 'disabled' | 'adaptive';
  budget_tokens?: number;
}

/** A request to a chat model. `maxTokens` limits the answer. The default of `model` is CHAT_MODEL. */
export interface ChatInput {
  model?: string;
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  maxTokens: number;
  temperature: number;
  topP?: number;
  thinking?: Thinking;
  /** The key of the project's own account at the provider. Default: OPENAI_API_KEY. */
  apiKey?: string;
  signal?: AbortSignal;
}

/** The token counts that the provider reports, or zeros if it reports none. */
export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/** A complete answer. */
export interface ChatAnswer {
  text: string;
  model: string;
  usage: TokenUsage;
}

/** A piece of a streamed answer. A complete answer ends with exactly one `done`. */
export type ChatPiece = { text: string } | { done: Omit<ChatAnswer, 'text'> };

const usageOf = (usage: OpenAI.CompletionUsage | null | undefined): TokenUsage => ({
  input_tokens: usage?.prompt_tokens ?? 0,
  output_tokens: usage?.completion_tokens ?? 0,
  total_tokens: usage?.total_tokens ?? 0,
});

/** OpenAI models from gpt-5 on accept only a temperature of 1, and use another name for the token limit. */
const isGpt5OrLater = (model: string) => Number(/^(?:.*\/)?gpt-(\d+)/.exec(model)?.[1] ?? 0) >= 5;

const samplingParameters = (model: string, { maxTokens, temperature, topP }: ChatInput) =>
  isGpt5OrLater(model)
    ? { temperature: 1, max_completion_tokens: maxTokens }
    : { temperature, max_tokens: maxTokens, ...(topP !== undefined && { top_p: topP }) };

/**
 * OpenAI models from gpt-5 on receive the option `reasoning_effort`. All other models receive `thinking`, the option of
 * Anthropic and others; a provider that does not know the option rejects the call.
 */
const thinkingParameters = (model: string, { thinking }: ChatInput) => {
  if (!thinking) return {};
  if (!isGpt5OrLater(model)) return { thinking };
  return { reasoning_effort: thinking.type === 'disabled' ? ('low' as const) : ('medium' as const) };
};

const requestBody = (input: ChatInput, defaultModel: string): ChatCompletionCreateParams => {
  const model = input.model ?? defaultModel;
  return { model, messages: input.messages, ...samplingParameters(model, input), ...thinkingParameters(model, input) };
};

/** Returns a client that uses the API key of the input, if the input has one. */
const withKey = (client: OpenAI, { apiKey }: ChatInput): OpenAI => (apiKey ? client.withOptions({ apiKey }) : client);

const parseAnswer = (answer: Partial<ChatCompletion> | null): ChatAnswer => {
  const text = answer?.choices?.[0]?.message?.content;
  if (typeof text !== 'string') throw badAnswerError('it contains no text');
  return { text, model: answer?.model ?? '', usage: usageOf(answer?.usage) };
};

/**
 * Yields items as they arrive, and aborts the call if no item arrives for `seconds`. The time that the consumer takes
 * to process an item does not count.
 */
async function* withIdleTimeout<T>(items: AsyncIterable<T>, seconds: number, call: Deadline): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => call.abort(timeoutError(`no data for ${seconds} s in a stream`)), seconds * 1000);
    const step = await iterator.next().finally(() => clearTimeout(timer));
    call.signal.throwIfAborted();
    if (step.done) return;
    yield step.value;
  }
}

async function* readStream(chunks: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<ChatPiece> {
  const done = { model: '', usage: usageOf(null) };
  let finished = false;
  for await (const { choices, model, usage } of chunks) {
    const [choice] = choices ?? [];
    done.model = model || done.model;
    if (usage) done.usage = usageOf(usage);
    if (choice?.finish_reason) finished = true;
    if (choice?.delta?.content) yield { text: choice.delta.content };
  }
  if (!finished) throw unavailableError('the stream ended early');
  yield { done };
}

/** Creates a chat client. Its calls throw the errors that chat-model.ts lists. */
export const createChat = (settings: ChatSettings) => {
  const provider = new Provider(settings);

  const chat = async (input: ChatInput): Promise<ChatAnswer> => {
    using call = provider.deadline(input.signal);
    const request = { ...requestBody(input, settings.CHAT_MODEL), stream: false as const };
    const create = (client: OpenAI, options: OpenAI.RequestOptions) =>
      withKey(client, input).chat.completions.create(request, options);
    const answer = await provider.call(create, call.signal);
    return parseAnswer(answer);
  };

  async function* chatStream(input: ChatInput): AsyncGenerator<ChatPiece> {
    using call = provider.deadline(input.signal);
    const request = {
      ...requestBody(input, settings.CHAT_MODEL),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    try {
      const open = (client: OpenAI, options: OpenAI.RequestOptions) =>
        withKey(client, input).chat.completions.create(request, options);
      const chunks = await provider.call(open, call.signal);
      yield* readStream(withIdleTimeout(chunks, settings.AI_IDLE_TIMEOUT_SECONDS, call));
    } catch (error) {
      call.signal.throwIfAborted();
      throw toProviderFailure(error).error;
    } finally {
      // Ends the call to the provider if the caller has stopped reading before the end.
      call.abort(unavailableError('the stream has ended'));
    }
  }

  return { chat, chatStream, close: () => provider.close() };
};
