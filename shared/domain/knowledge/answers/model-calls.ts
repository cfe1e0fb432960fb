/**
 * Calls the chat model for a project, with the key of the project's own account if it has one. Otherwise, checks the
 * project's token budget and quota before a call, and counts the tokens after it.
 */
import { type ChatInput, chat, chatStream } from '../../../ai/chat-model.ts';
import { config } from '../../../config.ts';
import { AppError } from '../../../errors.ts';
import { AI_INTEGRATION, readApiKey } from '../../integrations/integrations.ts';
import { countCost } from './token-cost.ts';
import { addUsage, assertTokenQuota } from '../../quotas/quotas.ts';
import { assertTokensLeft, estimateTokens, recordTokens, type TokenUsage } from './token-budget.ts';

/** The project that pays for a call, and the signal that is aborted when the caller disconnects. */
export interface CallContext {
  project: string;
  signal: AbortSignal;
}

/** A request to the chat model. The default of `model` is CHAT_MODEL. */
export type ModelRequest = Omit<ChatInput, 'model' | 'signal' | 'apiKey'> & { model?: string | null };

/** A request with the key of the project's own account; without a key, it is sent with the key of this system. */
type KeyedRequest = ModelRequest & Pick<ChatInput, 'apiKey'>;

/** The model that answered, and the tokens of the call. */
export interface ModelCall {
  model: string;
  tokens: TokenUsage;
}

type ProviderUsage = { input_tokens: number; output_tokens: number };

/** A prepared call: the input of the chat model, and the project. */
type PreparedCall = ChatInput & Pick<CallContext, 'project'>;

/** Returns the key of the project's own account at the provider; undefined if it has none. */
export const readProjectKey = (project: string): Promise<string | undefined> => readApiKey(project, AI_INTEGRATION);

/** Throws 429 if the project has used up its daily tokens, and 403 if it has used up those of its plan. */
export const assertTokens = async (project: string): Promise<void> => {
  assertTokensLeft(project);
  await assertTokenQuota(project);
};

/** Counts the tokens of a call that was made with the key of this system. */
export const chargeTokens = async (project: string, model: string, tokens: TokenUsage): Promise<void> => {
  countCost(model, tokens);
  await recordTokens(project, tokens);
  await addUsage(project, 'tokens', tokens.prompt + tokens.completion);
};

/** Prepares a call, and checks that a project without a key of its own has tokens left. */
const prepareCall = async (
  { model, ...request }: KeyedRequest,
  { project, signal }: CallContext,
): Promise<PreparedCall> => {
  if (!request.apiKey) await assertTokens(project);
  return { ...request, model: model || undefined, signal, project };
};

/** Counts the tokens of a call, unless the account of the project pays for them. */
const countTokens = async ({ apiKey, project, model }: PreparedCall, tokens: TokenUsage): Promise<void> => {
  if (!apiKey) await chargeTokens(project, model ?? config.CHAT_MODEL ?? '', tokens);
};

/** Returns the provider's token counts, or an estimate if the provider does not report them. */
const tokensOf = ({ messages }: Pick<ChatInput, 'messages'>, text: string, usage?: ProviderUsage): TokenUsage =>
  usage?.input_tokens
    ? { prompt: usage.input_tokens, completion: usage.output_tokens }
    : estimateTokens(messages, text);

/** The complete text, with the model and the tokens of the call. */
type ModelText = ModelCall & { text: string };

/** Calls the model with a key that `readProjectKey` has returned. Throws the errors of `callModel`. */
export const callModelWithKey = async (request: KeyedRequest, context: CallContext): Promise<ModelText> => {
  const call = await prepareCall(request, context);
  try {
    const { text, model, usage } = await chat(call);
    const tokens = tokensOf(call, text, usage);
    await countTokens(call, tokens);
    return { text, model, tokens };
  } catch (error) {
    // The provider has processed the prompt, so the prompt's tokens are counted although the caller has disconnected.
    if (context.signal.aborted) await countTokens(call, tokensOf(call, ''));
    throw error;
  }
};

const withProjectKey = async (request: ModelRequest, { project }: CallContext): Promise<KeyedRequest> => ({
  ...request,
  apiKey: await readProjectKey(project),
});

/**
 * Returns the complete text. Throws 429 if the project has used up its daily tokens, 403 if it has used up those of its
 * plan, and the provider's errors.
 */
export const callModel = async (request: ModelRequest, context: CallContext): Promise<ModelText> =>
  callModelWithKey(await withProjectKey(request, context), context);

/**
 * Yields the text in pieces. Throws the errors of `callModel`. If the consumer stops reading, the call to the provider
 * ends.
 */
export async function* streamModel(request: ModelRequest, context: CallContext): AsyncGenerator<string, ModelCall> {
  const call = await prepareCall(await withProjectKey(request, context), context);
  let text = '';
  let usage: ProviderUsage | undefined;
  try {
    for await (const piece of chatStream(call)) {
      if ('done' in piece) {
        usage = piece.done.usage;
        return { model: piece.done.model, tokens: tokensOf(call, text, usage) };
      }
      text += piece.text;
      yield piece.text;
    }
    throw new AppError(502, 'AI_BAD_ANSWER', 'The model did not finish its answer');
  } finally {
    if (usage || text || context.signal.aborted) await countTokens(call, tokensOf(call, text, usage));
  }
}
