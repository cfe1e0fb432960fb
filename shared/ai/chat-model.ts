/** The configured chat model. Its address, limits and default key come from the settings, never from a request. */
import { config } from '../config.ts';
import { type ChatAnswer, type ChatInput, type ChatPiece, createChat } from './chat.ts';

export type { ChatAnswer, ChatInput, ChatPiece, Thinking } from './chat.ts';
export { isOutage, ProviderRefusalError } from './provider-errors.ts';

/** Whether a provider and a chat model are configured. Without them, answers are extracted from chunks. */
export const isChatConfigured = () => Boolean(config.CHAT_MODEL && (config.OPENAI_BASE_URL ?? config.OPENAI_API_KEY));

/** Returns the models that a request may name; none if no chat model is configured. */
export const chatModels = (): string[] =>
  config.CHAT_MODEL ? [...new Set([config.CHAT_MODEL, ...config.CHAT_MODELS])] : [];

let client: ReturnType<typeof createChat> | undefined;

const chatClient = () => {
  client ??= createChat({ ...config, CHAT_MODEL: config.CHAT_MODEL ?? '' });
  return client;
};

/**
 * Returns the complete answer. Throws AI_REQUEST_REJECTED, AI_BAD_ANSWER, AI_UNAVAILABLE, AI_TIMEOUT (after
 * AI_TIMEOUT_SECONDS), or the signal's reason.
 */
export const chat = (input: ChatInput): Promise<ChatAnswer> => chatClient().chat(input);

/**
 * Yields the answer in pieces, and throws the same errors as `chat`. If the caller stops reading or aborts the signal,
 * the call to the provider ends, too.
 */
export const chatStream = (input: ChatInput): AsyncGenerator<ChatPiece> => chatClient().chatStream(input);
