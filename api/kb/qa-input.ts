/** Request body for questions. */
import { z } from 'zod';
import { parseTagExpression, TagExpressionError, tagsIn } from '#shared/domain/knowledge/retrieval/tag-expression.ts';
import { decimal, flag, integer } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { ThinkingInput } from '../llm/thinking-input.ts';
import { ContentTags, NamespaceId, QuestionText } from './input.ts';
import { unsupportedOption } from './schema-refinements.ts';

const LLM_PROVIDERS = [
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

const HistoryTurn = z.object({
  question: z.string().max(INPUT_LIMITS.questionText),
  answer: z.string().max(INPUT_LIMITS.instructions),
});

const parseTags = (text: string, context: z.RefinementCtx) => {
  try {
    const expression = parseTagExpression(text);
    if (tagsIn(expression).length <= INPUT_LIMITS.kbTags) return expression;
    context.addIssue(`must contain at most ${INPUT_LIMITS.kbTags} tags`);
  } catch (error) {
    if (!(error instanceof TagExpressionError)) throw error;
    context.addIssue(error.message);
  }
  return z.NEVER;
};

const AllTags = ContentTags.transform((tags) => (tags.length ? { and: tags } : undefined));

const TagExpression = z
  .string()
  .max(INPUT_LIMITS.kbTagExpression)
  .transform(parseTags)
  .meta({ description: 'Tags that are combined with `&`, `|`, `!` and parentheses' });

/** Known clients send 1 by default, so 1 means that there is no threshold. */
const NO_THRESHOLD = 1;

/** Options of the search for chunks. */
const retrievalFields = {
  top_k: integer(1, INPUT_LIMITS.retrievedChunks).default(5),
  alpha: decimal(0, 1)
    .optional()
    .meta({ description: 'Weight of the semantic search; 0: full-text search only, 1: semantic search only' }),
  search_type: z.enum(['similarity', 'mmr', 'hybrid']).optional(),
  tags: z
    .union([AllTags, TagExpression, z.null()])
    .transform((tags) => tags ?? undefined)
    .optional(),
  engine: FreeObject.nullish().meta({
    description: 'Must match the vector database of this installation; a call cannot select another',
  }),
  embedding: FreeObject.nullish().meta({
    description: 'Must match the embedding model of this installation; a call cannot select another',
  }),
  reranking: flag()
    .default(false)
    .meta({ description: 'Compare the best chunks with the question again, and reorder them' }),
  reranking_multiplier: decimal(1, 100)
    .default(3)
    .meta({ description: 'Number of chunks to rerank, as a multiple of `top_k`; at most 100 chunks are reranked' }),
  similarity_threshold: decimal(0, 1)
    .nullish()
    .transform((threshold) => (threshold === NO_THRESHOLD ? undefined : (threshold ?? undefined)))
    .meta({ description: 'Minimum cosine similarity between a chunk and the question; 1: no minimum' }),
  sparse_encoder: unsupportedOption(),
};

/** Options of the generated answer. */
const generationFields = {
  llm: z.enum(LLM_PROVIDERS).default('openai'),
  model: z.string().trim().max(200).nullish(),
  max_tokens: integer(1, INPUT_LIMITS.answerTokens).default(512),
  temperature: decimal(0, 2).default(0),
  top_p: decimal(0, 1).optional(),
  system_context: z.string().max(INPUT_LIMITS.instructions).nullish(),
  advancedPrompt: flag().default(false),
  chat_history_dict: z
    .record(z.string().regex(/^\d{1,3}$/, 'must be a number of at most 3 digits'), HistoryTurn)
    .nullish()
    .transform((turns) => turns ?? {}),
  include_history_in_prompt: flag().default(true),
  max_history_messages: integer(0, INPUT_LIMITS.historyMessages).default(10),
  contextualize_prompt: flag()
    .default(true)
    .meta({ description: 'Use the chat history to complete a follow-up question before the search' }),
  use_hyde: flag()
    .default(false)
    .meta({ description: 'Also search with a possible answer that the chat model writes' }),
  request_id: z
    .string()
    .max(INPUT_LIMITS.conversationId)
    .optional()
    .meta({ description: 'Id of the conversation in which the question was asked, for the log' }),
  conversation_summary: flag()
    .default(false)
    .meta({ description: 'Replace the older turns of a long chat history with a summary by the chat model' }),
  use_cache: flag()
    .default(false)
    .meta({ description: 'Return the answer to an earlier call if the chat model would receive the same prompt' }),
  thinking: ThinkingInput,
  vllmServer: unsupportedOption('must be omitted: the servers are part of the settings of this installation'),
  gptkey: unsupportedOption('must be omitted: keys cannot be sent with a request'),
};

/** Request body for a question. */
export const QaInput = z.object({
  question: QuestionText,
  namespace: NamespaceId,
  ...retrievalFields,
  ...generationFields,
  chunks_only: flag().default(false),
  stream: flag().default(false),
  citations: flag().default(false),
});
