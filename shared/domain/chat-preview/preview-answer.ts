/** Tries out a prompt with a chat model, without a knowledge base. */
import {
  type ChatInput,
  chatModels,
  isChatConfigured,
  ProviderRefusalError,
  type Thinking,
} from '../../ai/chat-model.ts';
import { config } from '../../config.ts';
import { AppError, invalidField, notFound } from '../../errors.ts';
import { findByName } from '../integrations/integrations.ts';
import { callModelWithKey, readProjectKey } from '../knowledge/answers/model-calls.ts';

/** The name of the only provider that this system calls, with its own key or with that of the project. */
const SUPPORTED_PROVIDER = 'openai';

/** A prompt, and the provider (`llm`) and model that answer it. */
export interface PreviewInput {
  llm: string;
  question: string;
  model?: string;
  context?: string;
  max_tokens: number;
  temperature: number;
  thinking?: Thinking;
}

/**
 * Throws for any provider other than `openai`: 404 if the project has no integration for it, otherwise 422, because
 * this system cannot call it.
 */
const assertProvider = async (id_project: string, llm: string): Promise<void> => {
  if (llm === SUPPORTED_PROVIDER) return;
  if (!(await findByName(id_project, llm))) throw notFound(`Integration for ${llm} not found.`);
  throw invalidField('llm', `must be ${SUPPORTED_PROVIDER}, the name of the only provider that this system calls`);
};

/** Throws 422 for a model that the settings do not allow with the key of this system. */
const assertModel = (model: string | undefined): void => {
  if (!model || chatModels().includes(model)) return;
  throw invalidField('model', `must be one of: ${chatModels().join(', ')} (the settings CHAT_MODEL and CHAT_MODELS)`);
};

const KEY_REFUSAL_STATUSES = [401, 403];

/** Whether an error means that the provider refuses the key. */
const isKeyRefusal = (error: unknown): boolean =>
  error instanceof ProviderRefusalError && KEY_REFUSAL_STATUSES.includes(error.providerStatus);

const keyRefusedError = (llm: string) =>
  new AppError(422, 'KEY_REFUSED', `The key provided for ${llm} is not valid or undefined.`);

const toMessages = ({ context, question }: PreviewInput): ChatInput['messages'] => [
  ...(context ? [{ role: 'system' as const, content: context }] : []),
  { role: 'user', content: question },
];

/**
 * Answers a prompt. If the project has a key, uses it with any model. Otherwise, uses the key of this system with a
 * model that the settings allow, and counts the tokens toward the project's budget and quota. Errors: 404 and 422 if
 * the provider, the model or the key cannot be used, and those of `callModelWithKey`.
 */
export const previewAnswer = async (id_project: string, input: PreviewInput, signal: AbortSignal) => {
  await assertProvider(id_project, input.llm);
  const apiKey = await readProjectKey(id_project);
  if (!apiKey && !isChatConfigured()) throw notFound(`No key found for ${SUPPORTED_PROVIDER}`);
  if (!apiKey) assertModel(input.model);
  const model = input.model ?? config.CHAT_MODEL;
  if (!model) throw invalidField('model', 'is required, because no chat model is configured');
  const { max_tokens: maxTokens, temperature, thinking } = input;
  const request = { messages: toMessages(input), model, maxTokens, temperature, thinking, apiKey };
  const { text, tokens } = await callModelWithKey(request, { project: id_project, signal }).catch((error: unknown) => {
    throw isKeyRefusal(error) ? keyRefusedError(input.llm) : error;
  });
  return {
    answer: text,
    tools_log: null,
    chat_history_dict: { '0': { question: input.question, answer: text } },
    prompt_token_info: {
      input_tokens: tokens.prompt,
      output_tokens: tokens.completion,
      total_tokens: tokens.prompt + tokens.completion,
    },
  };
};
