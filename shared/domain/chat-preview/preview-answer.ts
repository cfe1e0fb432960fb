/** Tries a prompt with a chat model, without a knowledge base. */
import { type ChatInput, chat, chatModels, isChatConfigured, ProviderRefusalError } from '../../ai/chat-model.ts';
import { config } from '../../config.ts';
import { AppError, invalidField, notFound } from '../../errors.ts';
import { findByName, readApiKey } from '../integrations/integrations.ts';
import { assertTokenQuota, addUsage } from '../quotas/quotas.ts';

const OWN_PROVIDER = 'openai';

/** A prompt, and the provider (`llm`) and model that answer it. */
export interface PreviewInput {
  llm: string;
  question: string;
  model?: string;
  context?: string;
  max_tokens: number;
  temperature: number;
}

/** Throws 404 if the project has no account at the provider, 422 for a provider that this system cannot call. */
const assertProvider = async (id_project: string, llm: string): Promise<void> => {
  if (llm === OWN_PROVIDER) return;
  if (!(await findByName(id_project, llm))) throw notFound(`Integration for ${llm} not found.`);
  throw invalidField('llm', `must be ${OWN_PROVIDER}: models are called at one OpenAI-compatible provider only`);
};

/** Throws 422 for a model that the settings do not allow. A project with its own key may use any model. */
const assertModel = (model: string | undefined): void => {
  if (!model || chatModels().includes(model)) return;
  throw invalidField('model', `must be one of: ${chatModels().join(', ')} (the settings CHAT_MODEL and CHAT_MODELS)`);
};

const KEY_REFUSAL_STATUSES = [401, 403];

/** Whether the provider refuses the key. */
const isKeyRefusal = (error: unknown): boolean =>
  error instanceof ProviderRefusalError && KEY_REFUSAL_STATUSES.includes(error.providerStatus);

const keyRefusedError = (llm: string) =>
  new AppError(422, 'KEY_REFUSED', `The key provided for ${llm} is not valid or undefined.`);

const toMessages = ({ context, question }: PreviewInput): ChatInput['messages'] => [
  ...(context ? [{ role: 'system' as const, content: context }] : []),
  { role: 'user', content: question },
];

/** Answers a prompt with the project's key. Without one, uses this system's key within the project's token quota. */
export const previewAnswer = async (id_project: string, input: PreviewInput, signal: AbortSignal) => {
  await assertProvider(id_project, input.llm);
  const apiKey = await readApiKey(id_project, OWN_PROVIDER);
  if (!apiKey && !isChatConfigured()) throw notFound(`No key found for ${OWN_PROVIDER}`);
  if (!apiKey) {
    assertModel(input.model);
    await assertTokenQuota(id_project);
  }
  const model = input.model ?? config.CHAT_MODEL;
  if (!model) throw invalidField('model', 'is required, because no chat model is configured');
  const { max_tokens: maxTokens, temperature } = input;
  const request = { messages: toMessages(input), model, maxTokens, temperature, apiKey, signal };
  const { text, usage } = await chat(request).catch((error: unknown) => {
    throw isKeyRefusal(error) ? keyRefusedError(input.llm) : error;
  });
  if (!apiKey) await addUsage(id_project, 'tokens', usage.total_tokens);
  return {
    answer: text,
    tools_log: null,
    chat_history_dict: { '0': { question: input.question, answer: text } },
    prompt_token_info: usage,
  };
};
