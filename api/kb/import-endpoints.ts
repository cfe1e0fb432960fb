/** Endpoints that add many contents at once. */
import { z } from 'zod';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { convertSitemap } from '#shared/domain/knowledge/convert-sitemap.ts';
import { addFaqFile } from '#shared/domain/knowledge/faq-file.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { importSitemap } from '#shared/domain/knowledge/sitemap-contents.ts';
import { KbContentView } from '#shared/models/kb-content.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { FaqFileQuery, PagesInput, SitemapImport, SitemapInput } from './content-input.ts';
import { NamespaceQuery } from './input.ts';

const BASE_PATH = '/v3/:project_id/kb';
const MISSING_NAMESPACE = { namespace: "queryParam 'namespace' is not defined" };

const addPages = (project: string, namespace: string, { list, ...options }: z.output<typeof PagesInput>) =>
  addMany(
    project,
    list.map((source) => ({ ...options, namespace, type: 'url', source, name: source })),
  );

export default [
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/multi`,
    role: 'admin',
    programs: 'all',
    bodySize: 'bulk',
    summary: 'Add up to 10,000 pages to a knowledge base. A form may contain them as a file with one URL per line',
    query: NamespaceQuery,
    body: PagesInput,
    listUpload: { listField: 'list', maxBytes: INPUT_LIMITS.kbFileBytes },
    missingParameterErrors: { ...MISSING_NAMESPACE, list: "parameter 'list' is not defined" },
    reply: z.array(KbContentView),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, query.namespace);
      return addPages(project, query.namespace, body);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/csv`,
    role: 'admin',
    programs: 'all',
    summary: 'Add a FAQ for each row of a CSV file: the question in the first column, the answer in the second',
    query: FaqFileQuery,
    uploads: { type: 'text/csv', maxBytes: INPUT_LIMITS.kbFileBytes },
    missingParameterErrors: MISSING_NAMESPACE,
    reply: z.array(KbContentView),
    errors: { 400: 'The file is not valid CSV' },
    handle: async ({ project, query, upload }) => {
      await namespaces.find(project, query.namespace);
      return addFaqFile(project, (upload as Upload).pieces(), query);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/sitemap`,
    role: 'admin',
    programs: 'all',
    summary: 'List the pages of a sitemap and of the sitemaps to which it refers. No contents are added',
    body: SitemapInput,
    reply: z.strictObject({
      url: z.string(),
      sites: z.array(z.string()),
      errors: z.array(z.strictObject({ type: z.string(), message: z.string(), url: z.string(), retries: z.number() })),
    }),
    handle: ({ body, signal }) => convertSitemap(body.sitemap, signal),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/sitemap/import`,
    role: 'admin',
    programs: 'all',
    summary: 'Add the pages of a sitemap, and the sitemap itself, which is read again at its `refresh_rate`',
    query: NamespaceQuery,
    body: SitemapImport,
    missingParameterErrors: MISSING_NAMESPACE,
    reply: z.array(KbContentView).meta({
      description:
        'The added pages, then the sitemap. Pages beyond the limits for sitemaps, or in sitemaps that cannot be read, are left out',
    }),
    errors: {
      400: 'The sitemap lists no pages',
      403: 'The `type` is not `sitemap`',
      500: 'The sitemap cannot be read',
    },
    handle: async ({ project, query: { namespace }, body, signal }) => {
      await namespaces.find(project, namespace);
      return importSitemap(project, { ...body, namespace, name: body.name ?? body.source }, signal);
    },
  }),
];
