/** What callers send about knowledge bases, their contents and unanswered questions. */
import { z } from 'zod';
import { flagOr, oneOfNumbers } from '#shared/lenient.ts';
import { MAX_LIST } from '#shared/domain/knowledge/contents.ts';
import { STATUS } from '#shared/models/kb-content.ts';
import { FreeObject } from '#shared/view.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { refusedWith, unsupported } from './refusals.ts';

const WEB_SCHEMES = new Set(['http:', 'https:']);

/** The id of a knowledge base. */
export const Namespace = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the knowledge base; the default one has the id of the project' });

/** Words that narrow a search to the contents that carry them all. */
export const Tags = z.array(z.string().min(1).max(LIMITS.kbTag)).max(LIMITS.kbTags);

/** What somebody asks. */
export const Question = z.string().trim().min(1).max(LIMITS.question);

/** An address the crawler would try: whether it may is decided when it connects (decision 48). */
const WebAddress = z
  .string()
  .trim()
  .max(LIMITS.kbSource)
  .refine((text) => WEB_SCHEMES.has(URL.parse(text)?.protocol ?? ''), 'must be an absolute http:// or https:// URL');

/** Options of indexing, by which kinds of content are told apart later; what does not work yet is refused. */
const indexing = {
  tags: Tags.nullish().transform((tags) => tags ?? undefined),
  scrape_type: oneOfNumbers([0, 1, 2], { error: 'must be 0, 1 or 2: pages are read without a browser' }).optional(),
  scrape_options: unsupported(),
  refresh_rate: z.literal('never', { error: 'must be never' }).optional(),
  situated_context: unsupported(),
  chunk_regex: unsupported(),
};

const text = { name: z.string().trim().min(1).max(LIMITS.kbName), namespace: Namespace, ...indexing };

const PageInput = z.object({
  type: z.literal('url'),
  ...text,
  name: text.name.optional(),
  source: WebAddress,
  refresh_rate: indexing.refresh_rate.default('never'),
  content: z.literal(['', null], { error: 'must be empty for a page: it is read at its source' }).optional(),
});

const TextInput = z.object({
  type: z.enum(['text', 'faq']),
  ...text,
  source: z.string().trim().min(1).max(LIMITS.kbSource),
  content: z.string().min(1).max(LIMITS.kbText),
});

/** Body of adding a content (contract 4.14); a page is named after its source unless it is named. */
export const ContentInput = z
  .discriminatedUnion('type', [PageInput, TextInput], { error: 'must be one of text, faq, url' })
  .transform((input) => ({ ...input, name: input.name ?? input.source, content: input.content ?? '' }));

const tooMany = refusedWith(403, `Too many urls. Can't index more than ${MAX_LIST} urls at a time.`);

/** Body of adding many pages; their number is looked at before any of them. */
export const MultiInput = z.object({
  ...indexing,
  list: z
    .array(z.unknown())
    .max(MAX_LIST, tooMany)
    .pipe(z.array(WebAddress).min(1))
    .meta({ items: { type: 'string', maxLength: LIMITS.kbSource } }),
  refresh_rate: indexing.refresh_rate.default('never'),
});

export const NamespaceQuery = z.object({ namespace: Namespace });

/** Body of converting a sitemap; an address that is none becomes an error of the conversion (contract c 2.11). */
export const SitemapInput = z.object({ sitemap: z.string().trim().max(LIMITS.kbSource).default('') });

/** Query of the list of contents (contract c 2.6). */
export const ContentsQuery = paged(['updatedAt', 'createdAt', 'name', 'source', 'status', 'type'], 200, {
  namespace: Namespace,
  status: wholeNumber(STATUS.queued, STATUS.failed),
  type: z.string().max(40).optional(),
  search: z
    .string()
    .max(LIMITS.kbName)
    .refine((part) => !part.includes('\0'), 'must not have NUL characters')
    .optional()
    .meta({ description: 'Part of the source, as it is written' }),
});

const notBoolean = refusedWith(400, "Value not accepted for 'hybrid' field. Expected boolean.");

/** Body of making a knowledge base. */
export const NewNamespace = z.object({
  name: z.string().trim().min(1).max(LIMITS.kbName),
  hybrid: flagOr(notBoolean).optional(),
});

/** Body of changing a knowledge base; what is absent or empty is kept. */
export const NamespaceChanges = z.object({
  name: z.string().trim().max(LIMITS.kbName).nullish(),
  preview_settings: FreeObject.nullish(),
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

/** Query of the list of unanswered questions. */
export const QuestionsQuery = paged(['createdAt', 'updatedAt', 'question'], 20, { search: unsupported() });
