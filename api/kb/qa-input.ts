import { z } from 'zod';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';
import { Namespace, Question, Tags } from './input.ts';
import { unsupported } from './refusals.ts';

const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'groq',
  'cohere',
  'deepseek',
  'mistralai',
  'openrouter',
  'ollama',
  'vllm',
] as const;

const Turn = z.object({ question: z.string().max(LIMITS.question), answer: z.string().max(LIMITS.instructions) });

const oneTag = z
  .string()
  .regex(/^[^&|!()]+$/, 'Expressions are not supported: give an array of tags')
  .transform((tag) => [tag]);

/** How the passages are chosen. */
const search = {
  top_k: z.number().int().min(1).max(LIMITS.passages).default(5),
  alpha: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: '0 full text to 1 semantic; by default the measured best' }),
  search_type: z.enum(['similarity', 'mmr', 'hybrid']).optional(),
  tags: z
    .union([Tags, oneTag, z.null()])
    .transform((tags) => tags ?? undefined)
    .optional(),
  engine: FreeObject.nullish().meta({ description: 'May be named; what runs cannot be chosen here' }),
  embedding: FreeObject.nullish().meta({ description: 'May be named; what runs cannot be chosen here' }),
  reranking: unsupported(),
  use_hyde: unsupported(),
  similarity_threshold: unsupported(),
  sparse_encoder: unsupported(),
};

/** How the answer is written. */
const writing = {
  llm: z.enum(PROVIDERS).default('openai'),
  model: z.string().trim().max(200).nullish(),
  max_tokens: z.number().int().min(1).max(LIMITS.answerTokens).default(512),
  temperature: z.number().min(0).max(2).default(0),
  top_p: z.number().min(0).max(1).optional(),
  system_context: z.string().max(LIMITS.instructions).nullish(),
  advancedPrompt: z.boolean().default(false),
  chat_history_dict: z
    .record(z.string().regex(/^\d{1,3}$/), Turn)
    .nullish()
    .transform((turns) => turns ?? {}),
  include_history_in_prompt: z.boolean().default(true),
  max_history_messages: z.number().int().min(0).max(LIMITS.turns).default(10),
  conversation_summary: unsupported(),
  use_cache: unsupported(),
  thinking: unsupported(),
  vllmServer: unsupported('Servers are set by the operator'),
  gptkey: unsupported('Keys are never taken from a request'),
};

/** Body of a question (contract 4.16, c 3.1). */
export const QaInput = z.object({
  question: Question,
  namespace: Namespace,
  ...search,
  ...writing,
  chunks_only: z.boolean().default(false),
  stream: z.boolean().default(false),
  citations: z.boolean().default(false),
});
