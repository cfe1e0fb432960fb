/** Calls the chat model for a project. Checks the project's token budget before a call, and counts the tokens after. */
import { type ChatInput, chat, chatStream } from '../../../ai/chat-model.ts';
import { AppError } from '../../../errors.ts';
import { assertTokensLeft, estimateTokens, recordTokens, type TokenUsage } from './token-budget.ts';

/** The project that pays for a call, and the signal that is aborted when the caller disconnects. */
export interface CallContext {
  project: string;
  signal: AbortSignal;
}

/** A request to the chat model. The default of `model` is CHAT_MODEL. */
export type ModelRequest = Omit<ChatInput, 'model' | 'signal'> & { model?: string | null };

/** The model that answered, and the tokens of the call. */
export interface ModelCall {
  model: string;
  tokens: TokenUsage;
}

type ProviderUsage = { input_tokens: number; output_tokens: number };

const toChatInput = ({ model, ...request }: ModelRequest, { signal }: CallContext): ChatInput => ({
  ...request,
  model: model || undefined,
  signal,
});

/** Returns the provider's token counts, or an estimate if the provider does not report them. */
const tokensOf = ({ messages }: ModelRequest, text: string, usage?: ProviderUsage): TokenUsage =>
  usage?.input_tokens
    ? { prompt: usage.input_tokens, completion: usage.output_tokens }
    : estimateTokens(messages, text);

/** Returns the complete text. Throws 429 if the project has used up its daily tokens, and the provider's errors. */
export const callModel = async (request: ModelRequest, context: CallContext): Promise<ModelCall & { text: string }> => {
  const { project, signal } = context;
  assertTokensLeft(project);
  try {
    const { text, model, usage } = await chat(toChatInput(request, context));
    const tokens = tokensOf(request, text, usage);
    await recordTokens(project, tokens);
    return { text, model, tokens };
  } catch (error) {
    // The provider has processed the prompt, so its tokens are counted even though the caller has disconnected.
    if (signal.aborted) await recordTokens(project, tokensOf(request, ''));
    throw error;
  }
};

/**
 * Yields the text in pieces. Throws the errors of `callModel`. If the consumer stops reading, the call to the provider
 * ends.
 */
export async function* streamModel(request: ModelRequest, context: CallContext): AsyncGenerator<string, ModelCall> {
  const { project, signal } = context;
  assertTokensLeft(project);
  let text = '';
  let usage: ProviderUsage | undefined;
  try {
    for await (const piece of chatStream(toChatInput(request, context))) {
      if ('done' in piece) {
        usage = piece.done.usage;
        return { model: piece.done.model, tokens: tokensOf(request, text, usage) };
      }
      text += piece.text;
      yield piece.text;
    }
    throw new AppError(502, 'AI_BAD_ANSWER', 'The model did not finish its answer');
  } finally {
    if (usage || text || signal.aborted) await recordTokens(project, tokensOf(request, text, usage));
  }
}
