/** Request bodies and queries of knowledge bases, contents and unanswered questions. */
import { z } from 'zod';
import { MAX_CONTENTS_PER_CALL } from '#shared/domain/knowledge/contents.ts';
import { CONTENT_STATUS } from '#shared/models/kb-content.ts';
import { flagWithError, integer, oneOfNumbers } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { optionalInteger, pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { rejectWith, unsupportedOption } from './schema-refinements.ts';

const WEB_SCHEMES = new Set(['http:', 'https:']);

/** The id of a knowledge base. */
export const NamespaceId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the knowledge base; the default knowledge base has the id of the project' });

/** Tags of a content. A search with tags finds contents that have all of them. */
export const ContentTags = z.array(z.string().min(1).max(INPUT_LIMITS.kbTag)).max(INPUT_LIMITS.kbTags);

/** The text of a question. */
export const QuestionText = z.string().trim().min(1).max(INPUT_LIMITS.questionText);

/** The URL of a page. Whether the crawler may fetch this address is checked when the crawler connects. */
const WebAddress = z
  .string()
  .trim()
  .max(INPUT_LIMITS.kbSource)
  .refine((text) => WEB_SCHEMES.has(URL.parse(text)?.protocol ?? ''), 'must be an absolute http:// or https:// URL');

/** Indexing options; options that are not supported are rejected. */
const indexingFields = {
  tags: ContentTags.nullish().transform((tags) => tags ?? undefined),
  scrape_type: oneOfNumbers([0, 1, 2], { error: 'must be 0, 1 or 2: pages are fetched without a browser' }).optional(),
  scrape_options: unsupportedOption(),
  refresh_rate: z.literal('never', { error: 'must be never' }).optional(),
  situated_context: unsupportedOption(),
  chunk_regex: unsupportedOption(),
};

const contentFields = {
  name: z.string().trim().min(1).max(INPUT_LIMITS.kbName),
  namespace: NamespaceId,
  ...indexingFields,
};

const PageInput = z.object({
  type: z.literal('url'),
  ...contentFields,
  name: contentFields.name.optional(),
  source: WebAddress,
  refresh_rate: indexingFields.refresh_rate.default('never'),
  content: z.literal(['', null], { error: 'must be empty for a page: its text is fetched from the source' }).optional(),
});

const TextInput = z.object({
  type: z.enum(['text', 'faq']),
  ...contentFields,
  source: z.string().trim().min(1).max(INPUT_LIMITS.kbSource),
  content: z.string().min(1).max(INPUT_LIMITS.kbText),
});

/** Request body of a new content; the name of a page defaults to its source. */
export const ContentInput = z
  .discriminatedUnion('type', [PageInput, TextInput], { error: 'must be one of text, faq, url' })
  .transform((input) => ({ ...input, name: input.name ?? input.source, content: input.content ?? '' }));

const tooManyPagesError = rejectWith(
  403,
  `Too many urls. Can't index more than ${MAX_CONTENTS_PER_CALL} urls at a time.`,
);

/** Request body that adds many pages. Their number is checked before the individual URLs. */
export const PagesInput = z.object({
  ...indexingFields,
  list: z
    .array(z.unknown())
    .max(MAX_CONTENTS_PER_CALL, tooManyPagesError)
    .pipe(z.array(WebAddress).min(1))
    .meta({ items: { type: 'string', maxLength: INPUT_LIMITS.kbSource } }),
  refresh_rate: indexingFields.refresh_rate.default('never'),
});

/** Query that identifies a knowledge base. */
export const NamespaceQuery = z.object({ namespace: NamespaceId });

/** Request body that converts a sitemap. An invalid URL is reported in `errors` of the reply, not as 422. */
export const SitemapInput = z.object({ sitemap: z.string().trim().max(INPUT_LIMITS.kbSource).default('') });

/** Query of the list of contents. */
export const ContentsQuery = pagingQuery(['updatedAt', 'createdAt', 'name', 'source', 'status', 'type'], 200, {
  namespace: NamespaceId,
  status: optionalInteger(CONTENT_STATUS.queued, CONTENT_STATUS.failed),
  type: z.string().max(40).optional(),
  search: z
    .string()
    .max(INPUT_LIMITS.kbName)
    .refine((part) => !part.includes('\0'), 'must not contain NUL characters')
    .optional()
    .meta({ description: 'Text that the source contains; case-sensitive' }),
});

const notBooleanError = rejectWith(400, "Value not accepted for 'hybrid' field. Expected boolean.");

/** Request body of a new knowledge base. */
export const NewNamespace = z.object({
  name: z.string().trim().min(1).max(INPUT_LIMITS.kbName),
  hybrid: flagWithError(notBooleanError).optional(),
});

/** Request body of a knowledge base update; absent and empty fields are unchanged. */
export const NamespaceChanges = z.object({
  name: z.string().trim().max(INPUT_LIMITS.kbName).nullish(),
  preview_settings: FreeObject.nullish(),
});

/** Request body that identifies a content. */
export const ContentRef = z.object({ id: z.string().max(100), namespace: NamespaceId });

/** Returns a query schema with one optional parameter. */
export const flagQuery = (name: string) => z.object({ [name]: z.string().max(10).optional() });

const loggedFields = {
  namespace: NamespaceId,
  question: QuestionText,
  request_id: z.string().max(INPUT_LIMITS.conversationId).optional(),
};

/** Request body of an unanswered question. */
export const NewQuestion = z.object({ ...loggedFields, sender: z.string().max(200).optional() });

/** Request body of an answered question. */
export const NewAnsweredQuestion = z.object({
  ...loggedFields,
  answer: z.string().min(1).max(INPUT_LIMITS.instructions),
  tokens: integer(0, 1_000_000_000).optional(),
});

/** Request body that changes the text of an unanswered question. */
export const QuestionChange = z.object({ question: QuestionText });

/** Query of the list of answered or unanswered questions. */
export const QuestionsQuery = pagingQuery(['createdAt', 'updatedAt', 'question'], 20, {
  search: z
    .string()
    .trim()
    .max(INPUT_LIMITS.kbName)
    .optional()
    .meta({ description: 'Words to find. The questions are then sorted by relevance, and each has a `score`' }),
});

/** Query of the export of answered or unanswered questions. */
export const ExportQuery = z.object({
  mode: z.enum(['csv', 'json'], rejectWith(400, 'Invalid format. Use mode=json or mode=csv')).default('csv'),
});

/** Query of the list of clusters. */
export const ClustersQuery = z.object({
  page: integer(0, 1_000_000).default(0),
  limit: integer(1, 100).default(20),
});

/** Request body that promotes a cluster to a FAQ. */
export const FaqInput = z.object({
  answer: z
    .string()
    .trim()
    .min(1)
    .max(INPUT_LIMITS.kbText - INPUT_LIMITS.kbName),
  question: z
    .string()
    .trim()
    .min(1)
    .max(INPUT_LIMITS.kbName)
    .optional()
    .meta({ description: 'Default: the first question of the cluster' }),
  tags: ContentTags.optional(),
});
