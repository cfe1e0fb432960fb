import { z } from 'zod';
import { MAX_LIST } from '#shared/domain/contents.ts';
import { STATUS } from '#shared/models/kb-content.ts';
import { FreeObject } from '#shared/view.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';

const Namespace = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the knowledge base; the default one has the id of the project' });
const Tags = z.array(z.string().min(1).max(LIMITS.kbTag)).max(LIMITS.kbTags);
const Question = z.string().trim().min(1).max(LIMITS.question);

const WEB_SCHEMES = new Set(['http:', 'https:']);

/** An address the crawler would try: whether it may is decided when it connects (decision 48). */
const WebAddress = z
  .string()
  .trim()
  .max(LIMITS.kbSource)
  .refine((text) => WEB_SCHEMES.has(URL.parse(text)?.protocol ?? ''), 'A full http:// or https:// address');

/** Options of scraping that are honoured by now; others are refused rather than ignored (decision 5). */
const scraping = {
  tags: Tags.optional(),
  scrape_type: z
    .union([z.literal(0), z.literal(1), z.literal(2)], {
      error: 'Only 0, 1 and 2 (main text without a browser) are supported',
    })
    .optional(),
  scrape_options: z.undefined({ error: 'Not supported' }).optional(),
  refresh_rate: z.literal('never', { error: 'Only never is supported' }).optional(),
  situated_context: z.literal(false, { error: 'Only false is supported' }).optional(),
};

const text = { name: z.string().trim().min(1).max(LIMITS.kbName), namespace: Namespace, ...scraping };

/** Body of adding a content (contract 4.14). */
export const ContentInput = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('url'),
      ...text,
      name: text.name.optional(),
      source: WebAddress,
      content: z.string().max(LIMITS.kbText).optional(),
    }),
    z.object({
      type: z.enum(['text', 'faq']),
      ...text,
      source: z.string().trim().min(1).max(LIMITS.kbSource),
      content: z.string().min(1).max(LIMITS.kbText),
    }),
  ],
  { error: 'Supported types: text, faq, url' },
);

/** Body of adding many pages. */
export const MultiInput = z.object({ list: z.array(WebAddress).min(1).max(MAX_LIST), ...scraping });

export const NamespaceQuery = z.object({ namespace: Namespace });

export const SitemapInput = z.object({ sitemap: WebAddress });

/** Query of the list of contents (contract c 2.6). */
export const ContentsQuery = paged(['updatedAt', 'createdAt', 'name', 'source', 'status', 'type'], 200, {
  namespace: Namespace,
  status: wholeNumber(STATUS.queued, STATUS.failed),
  type: z.string().max(40).optional(),
  search: z.string().max(LIMITS.kbName).optional().meta({ description: 'Part of the source, as it is written' }),
});

/** Body of making a knowledge base. */
export const NewNamespace = z.object({
  name: z.string().trim().min(1).max(LIMITS.kbName),
  hybrid: z.boolean({ error: "Value not accepted for 'hybrid' field. Expected boolean." }).optional(),
});

/** Body of changing a knowledge base; what is absent or empty is kept. */
export const NamespaceChanges = z.object({
  name: z.string().trim().max(LIMITS.kbName).optional(),
  preview_settings: FreeObject.optional(),
});

export const NamespaceRef = z.object({ id: z.string().max(100), namespace: Namespace });

export const FlagQuery = (name: string) => z.object({ [name]: z.string().max(10).optional() });

/** Body of an unanswered question. */
export const NewQuestion = z.object({
  namespace: Namespace,
  question: Question,
  request_id: z.string().max(200).optional(),
  sender: z.string().max(200).optional(),
});

export const QuestionsQuery = paged(['createdAt', 'updatedAt', 'question'], 20);

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
const notSupported = z.literal(false, { error: 'Not supported' }).optional();

/** Body of a question (contract 4.16, c 3.1). */
export const QaInput = z.object({
  question: Question,
  namespace: Namespace,
  llm: z.enum(PROVIDERS).default('openai'),
  model: z.string().max(200).optional(),
  max_tokens: z.number().int().min(1).max(32_000).default(512),
  temperature: z.number().min(0).max(2).default(0),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(1).max(50).default(5),
  engine: FreeObject.optional(),
  embedding: FreeObject.optional(),
  system_context: z.string().max(LIMITS.instructions).nullish(),
  advancedPrompt: z.boolean().default(false),
  alpha: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: '0 full text to 1 semantic; by default the measured best' }),
  search_type: z.enum(['similarity', 'mmr', 'hybrid']).optional(),
  chunks_only: z.boolean().default(false),
  stream: z.boolean().default(false),
  citations: z.boolean().default(false),
  tags: z
    .union([
      Tags,
      z
        .string()
        .regex(/^[^&|!()]+$/, 'Expressions are not supported: give an array of tags')
        .transform((tag) => [tag]),
    ])
    .optional(),
  reranking: notSupported,
  use_hyde: notSupported,
  chat_history_dict: z.record(z.string().regex(/^\d{1,3}$/), Turn).optional(),
});
