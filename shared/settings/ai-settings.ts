/** The settings of the AI provider and of the local models, a part of the schema in config.ts. */
import { z } from 'zod';
import {
  commaList,
  nonNegativeInteger,
  positiveInteger,
  seconds,
  tokenFactors,
  tokenPrices,
  webUrl,
} from './setting-types.ts';

export const aiSettings = {
  OPENAI_API_KEY: z.string().optional().describe('API key for an OpenAI-compatible provider'),
  OPENAI_BASE_URL: webUrl.optional().describe('Base URL of an OpenAI-compatible provider (hosted, Ollama, vLLM)'),
  CHAT_MODEL: z
    .string()
    .optional()
    .describe('Model that writes answers. Without one, answers are extracted from the chunks'),
  CHAT_MODELS: commaList
    .default([])
    .describe('Comma-separated list of other models that a request may name. Default: `CHAT_MODEL` only'),
  AI_TOKENS_PER_DAY: nonNegativeInteger
    .default(0)
    .describe('Tokens in prompts, answers and reranked texts that a project may use per day (UTC); 0: unlimited'),
  AI_PROMPT_TOKENS: positiveInteger
    .default(16_000)
    .describe(
      'Maximum length of a prompt, in estimated tokens; to shorten a longer prompt, the oldest turns of the chat history and the lowest-ranked chunks are omitted',
    ),
  AI_MODELS: tokenFactors
    .optional()
    .describe(
      'Factors by which the number of prompt tokens is multiplied in answers (`prompt_token_size`) and in the log of answered questions (`tokens`), as `model:factor` separated by `;`. The factor of other models is 1',
    ),
  AI_PRICES: tokenPrices
    .optional()
    .describe(
      'Prices of models per million tokens, as `model:prompt:completion` separated by `;`, for the metric `ai_cost_total`',
    ),
  RERANK_BASE_URL: webUrl
    .optional()
    .describe(
      'Base URL of a reranker with the endpoint `/rerank` (Jina, Cohere, vLLM, LiteLLM), for questions with `reranking`. Default: the embedding model compares the question with sentences of the chunks',
    ),
  RERANK_API_KEY: z.string().optional().describe('API key for the reranker'),
  RERANK_MODEL: z.string().optional().describe('Model of the reranker'),
  SITUATED_CONTEXT_MODEL: z
    .string()
    .optional()
    .describe(
      'Model that writes the context for the chunks of contents with `situated_context`. Default: `CHAT_MODEL`',
    ),
  EMBEDDING_MODEL: z.string().optional().describe('Embedding model of the provider'),
  EMBEDDING_DIMENSION: positiveInteger.default(1536).describe('Dimension of the vectors of `EMBEDDING_MODEL`'),
  EMBEDDING_MODEL_FILE: z
    .string()
    .optional()
    .describe(
      'ONNX file of the local model all-MiniLM-L6-v2; `off`: full-text search only. Default: the file downloaded by the setup of `npm start`, if any',
    ),
  INTENT_ENCODER: z
    .string()
    .optional()
    .describe(
      'Folder of the local model that finds the intents of bots; `off`: the embedding model finds them. Default: the folder that the setup of `npm start` fills, if any',
    ),
  AI_TIMEOUT_SECONDS: seconds.default(60).describe('Timeout of one call to the provider, retries included, in seconds'),
  AI_IDLE_TIMEOUT_SECONDS: seconds
    .default(15)
    .describe('Seconds without data after which a stream from the provider is aborted'),
  AI_MAX_RETRY_WAIT_SECONDS: seconds
    .default(10)
    .describe('Maximum wait before a call to the provider is retried, in seconds'),
};
