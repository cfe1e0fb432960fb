/** The chat model of the settings. Address, key and limits come from there alone, never from a request. */
import { config } from '#shared/config.ts';
import { type ChatAnswer, type ChatInput, type ChatPiece, makeChat } from './ai/chat.ts';

export type { ChatAnswer, ChatInput, ChatPiece } from './ai/chat.ts';
export { isOutage } from './ai/failure.ts';

/** True where a provider and a model that answers are set; otherwise answers are extracted from the chunks. */
export const chatConfigured = () => Boolean(config.CHAT_MODEL && (config.OPENAI_BASE_URL ?? config.OPENAI_API_KEY));

/** The models that a request may name; none where no chat model is configured. */
export const chatModels = (): string[] =>
  config.CHAT_MODEL ? [...new Set([config.CHAT_MODEL, ...config.CHAT_MODELS])] : [];

let made: ReturnType<typeof makeChat> | undefined;

const ours = () => {
  made ??= makeChat({ ...config, CHAT_MODEL: config.CHAT_MODEL ?? '' });
  return made;
};

/** A whole answer within AI_TIMEOUT; errors are AI_REFUSED, AI_BAD_ANSWER, AI_UNAVAILABLE, AI_TIMEOUT, or the signal's reason. */
export const chat = (input: ChatInput): Promise<ChatAnswer> => ours().chat(input);

/** The answer in pieces; leaving the loop, or the signal, ends the call at the provider too. */
export const chatStream = (input: ChatInput): AsyncGenerator<ChatPiece> => ours().chatStream(input);
