/** Request bodies and queries for contents. Errors with status 403 have the texts that deployed clients expect. */
import { z } from 'zod';
import { isChatConfigured } from '#shared/ai/chat-model.ts';
import { CONTENT_TYPES, REFRESH_RATES, SCRAPE_TYPES } from '#shared/domain/knowledge/content-types.ts';
import { MAX_CONTENTS_PER_CALL } from '#shared/domain/knowledge/contents.ts';
import { CONTENT_STATUS } from '#shared/models/kb-content.ts';
import { FILE_FORMATS } from '#shared/parsing/parsing-tasks.ts';
import { decimal, flag, jsonText, oneOfNumbers } from '#shared/wire/coercion.ts';
import { optionalInteger, pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { NO_CHAT_MODEL } from './check-options.ts';
import { ContentTags, NamespaceId } from './input.ts';
import { rejectWith } from './schema-refinements.ts';

const WEB_SCHEMES = new Set(['http:', 'https:']);

const isWebAddress = (text: string): boolean => WEB_SCHEMES.has(URL.parse(text)?.protocol ?? '');

/** The URL of a page or file. Whether it may be fetched is not checked here, but when the crawler connects. */
export const WebAddress = z
  .string()
  .trim()
  .max(INPUT_LIMITS.kbSource)
  .refine(isWebAddress, 'must be an absolute http:// or https:// URL')
  .meta({ format: 'uri' });

const Selectors = z.array(z.string().trim().min(1).max(INPUT_LIMITS.kbTag)).max(INPUT_LIMITS.kbTags).optional();

/** Options for reading a page with a `scrape_type` of 2, 4 or 5. */
const ScrapeOptions = z.object({
  tags_to_extract: Selectors.meta({ description: 'Names of elements, or other CSS selectors' }),
  unwanted_tags: Selectors,
  unwanted_classnames: Selectors,
  desired_classnames: Selectors,
  remove_lines: flag().optional().meta({ description: 'Has no effect' }),
  remove_comments: flag().optional().meta({ description: 'Has no effect' }),
  time_sleep: decimal(0, 60).optional().meta({ description: 'Seconds that a browser waits after the page has loaded' }),
});

const optionalFlag = () =>
  flag()
    .nullish()
    .transform((value) => value || undefined);

const SituatedContext = optionalFlag()
  .refine((value) => !value || isChatConfigured(), `must be false: ${NO_CHAT_MODEL}`)
  .meta({ description: 'Index each chunk together with a sentence that the chat model writes about it' });

/** Indexing options. */
const indexingFields = {
  tags: ContentTags.nullish().transform((tags) => tags ?? undefined),
  scrape_type: oneOfNumbers(SCRAPE_TYPES).optional().meta({
    description:
      '0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page',
  }),
  scrape_options: ScrapeOptions.nullish().transform((options) => options ?? undefined),
  refresh_rate: z.enum(REFRESH_RATES).optional().meta({ description: 'How often the source is fetched again' }),
  situated_context: SituatedContext,
};

const contentFields = {
  name: z.string().trim().min(1).max(INPUT_LIMITS.kbName),
  namespace: NamespaceId,
  ...indexingFields,
};

const noPattern = z.literal(['', null], { error: 'is accepted for the type regex_custom only' }).optional();
const SourceName = z.string().trim().min(1).max(INPUT_LIMITS.kbSource);

const PageInput = z.object({
  type: z.enum(['url', 'sitemap']),
  ...contentFields,
  name: contentFields.name.optional(),
  source: WebAddress,
  chunk_regex: noPattern,
  content: z.literal(['', null], { error: 'must be empty for a page: its text is fetched from the source' }).optional(),
});

const FileInput = z.object({
  type: z.enum(FILE_FORMATS),
  ...contentFields,
  name: contentFields.name.optional(),
  source: SourceName.meta({ description: 'URL of the file, or any name if `content` contains the text of the file' }),
  chunk_regex: z
    .string()
    .max(INPUT_LIMITS.kbPattern)
    .optional()
    .meta({ description: 'Regular expression that splits a file of the type `regex_custom`' }),
  content: z.string().max(INPUT_LIMITS.kbText).nullish(),
});

const TextInput = z.object({
  type: z.enum(['text', 'faq']),
  ...contentFields,
  source: SourceName,
  chunk_regex: noPattern,
  content: z.string().min(1).max(INPUT_LIMITS.kbText),
});

interface FileFields {
  type: string;
  source: string;
  content?: string | null;
  chunk_regex?: string | null;
}

const BINARY_TYPES = ['pdf', 'docx'];

/** Returns a field that contradicts the type of the file or is missing, and what is wrong; undefined if nothing is. */
const fileFault = ({
  type,
  source,
  content,
  chunk_regex,
}: FileFields): [field: string, problem: string] | undefined => {
  if (content && BINARY_TYPES.includes(type))
    return ['content', `must be empty for the type ${type}: the file is read from the source`];
  if (!content && !isWebAddress(source)) return ['source', 'must be an absolute http:// or https:// URL'];
  if (type === 'regex_custom' && !chunk_regex) return ['chunk_regex', 'is required for the type regex_custom'];
  if (type !== 'regex_custom' && chunk_regex) return ['chunk_regex', 'is accepted for the type regex_custom only'];
};

const isFile = (type: string): boolean => (FILE_FORMATS as readonly string[]).includes(type);

const types = CONTENT_TYPES.filter((type) => type !== 'sitemap').join(', ');

const checkFile = (input: FileFields, context: z.RefinementCtx): void => {
  const fault = isFile(input.type) ? fileFault(input) : undefined;
  if (fault) context.addIssue({ code: 'custom', path: [fault[0]], message: fault[1] });
};

interface ParsedContent extends FileFields {
  name?: string;
}

const toContent = <C extends ParsedContent>({ chunk_regex, ...input }: C) => ({
  ...input,
  name: input.name ?? input.source.slice(0, INPUT_LIMITS.kbName),
  content: input.content ?? '',
  ...(chunk_regex ? { chunk_regex } : {}),
});

const typeError = { error: `must be one of ${types}` };

const AnyContent = z
  .discriminatedUnion('type', [PageInput, FileInput, TextInput], typeError)
  .superRefine(checkFile)
  .transform(toContent);

/** `situated_context` needs no chat model here: the exported file may come from an installation with one. */
const importedFields = { situated_context: optionalFlag() };

/** A content in an exported file. It has no namespace, because it is imported into the namespace of the call. */
export const ImportedContent = z
  .discriminatedUnion(
    'type',
    [
      PageInput.omit({ namespace: true }).extend(importedFields),
      FileInput.omit({ namespace: true }).extend(importedFields),
      TextInput.omit({ namespace: true }).extend(importedFields),
    ],
    typeError,
  )
  .superRefine(checkFile)
  .transform(toContent);

/** Request body that replaces a content. The name of a page or file defaults to its source. */
export const ChangedContent = AnyContent;

/** Request body for a new content. */
export const ContentInput = AnyContent.refine(({ type }) => type !== 'sitemap', {
  path: ['type'],
  message: `must be one of ${types}; import a sitemap with POST /kb/sitemap/import`,
});

const tooManyPagesError = rejectWith(
  403,
  `Too many urls. Can't index more than ${MAX_CONTENTS_PER_CALL} urls at a time.`,
);

const FormTags = z.preprocess(
  (value) => (typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : value),
  indexingFields.tags,
);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const FormOptions = z.preprocess(
  (value) => (typeof value === 'string' ? parseJson(value) : value),
  indexingFields.scrape_options,
);

/** Request body that adds many pages. Their number is checked before the individual URLs. */
export const PagesInput = z.object({
  ...indexingFields,
  tags: FormTags.optional(),
  scrape_options: FormOptions.optional(),
  list: z
    .array(z.unknown())
    .max(MAX_CONTENTS_PER_CALL, tooManyPagesError)
    .pipe(z.array(WebAddress).min(1))
    .meta({ items: { type: 'string', maxLength: INPUT_LIMITS.kbSource } }),
});

/** Query parameters for an import of questions with answers. In a form, they may also be fields next to the file. */
export const FaqFileQuery = z.object({
  namespace: NamespaceId,
  delimiter: z
    .string()
    .length(1)
    .optional()
    .meta({ description: 'The character that separates question and answer; `;` by default' }),
  tags: jsonText(INPUT_LIMITS.kbTags * INPUT_LIMITS.kbTag)
    .pipe(ContentTags)
    .optional()
    .meta({ description: 'JSON array of tags' }),
  situated_context: indexingFields.situated_context,
});

/** Request body that imports the pages of a sitemap. */
export const SitemapImport = z.object({
  type: z.literal('sitemap', rejectWith(403, 'Endpoint available for sitemap type only.')),
  source: WebAddress,
  name: contentFields.name.optional(),
  ...indexingFields,
});

/** Request body for listing the pages of a sitemap. An invalid URL is reported in the `errors` of the reply. */
export const SitemapInput = z.object({ sitemap: z.string().trim().max(INPUT_LIMITS.kbSource).default('') });

/** Query parameters for the list of contents. */
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
