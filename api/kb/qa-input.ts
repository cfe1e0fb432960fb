import { z } from 'zod';
import { decimal, flag, integer } from '#shared/lenient.ts';
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
  .regex(/^[^&|!()]+$/, 'must not be an expression: give an array of tags')
  .transform((tag) => [tag]);

/** How the passages are chosen. */
const search = {
  top_k: integer(1, LIMITS.passages).default(5),
  alpha: decimal(0, 1).optional().meta({ description: '0 full text to 1 semantic; by default the measured best' }),
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
  max_tokens: integer(1, LIMITS.answerTokens).default(512),
  temperature: decimal(0, 2).default(0),
  top_p: decimal(0, 1).optional(),
  system_context: z.string().max(LIMITS.instructions).nullish(),
  advancedPrompt: flag().default(false),
  chat_history_dict: z
    .record(z.string().regex(/^\d{1,3}$/, 'must be a number of at most 3 digits'), Turn)
    .nullish()
    .transform((turns) => turns ?? {}),
  include_history_in_prompt: flag().default(true),
  max_history_messages: integer(0, LIMITS.turns).default(10),
  conversation_summary: unsupported(),
  use_cache: unsupported(),
  thinking: unsupported(),
  vllmServer: unsupported('must not be given: the operator sets the servers'),
  gptkey: unsupported('must not be given: keys are never taken from a request'),
};

/** Body of a question (contract 4.16, c 3.1). */
export const QaInput = z.object({
  question: Question,
  namespace: Namespace,
  ...search,
  ...writing,
  chunks_only: flag().default(false),
  stream: flag().default(false),
  citations: flag().default(false),
});
