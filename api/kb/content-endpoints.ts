/** Endpoints for the contents of a knowledge base. */
import { z } from 'zod';
import { readMany } from '#shared/database/raw-read.ts';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { convertSitemap } from '#shared/domain/knowledge/convert-sitemap.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { notFound } from '#shared/errors.ts';
import { KbContent, KbContentView } from '#shared/models/kb-content.ts';
import { Id, projectionOf } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { IndexingStatusView, toIndexingStatus } from './indexing-status.ts';
import {
  ContentInput,
  ContentRef,
  ContentsQuery,
  flagQuery,
  NamespaceQuery,
  PagesInput,
  SitemapInput,
} from './input.ts';

const BASE_PATH = '/v3/:project_id/kb';
const CONTENT_FIELDS = projectionOf(KbContentView);
const MISSING_BODY_NAMESPACE = { namespace: "parameter 'namespace' is not defined" };
const MISSING_QUERY_NAMESPACE = { namespace: "queryParam 'namespace' is not defined" };

const REGEX_SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Returns the filter of a list of contents. `search` is literal text, not a pattern. */
const contentsFilter = (id_project: string, { namespace, status, type, search }: z.output<typeof ContentsQuery>) => ({
  id_project,
  namespace,
  ...(status === undefined ? {} : { status }),
  ...(type ? { type } : {}),
  ...(search ? { source: { $regex: search.replace(REGEX_SPECIAL, '\\$&') } } : {}),
});

const listContents = async (project: string, query: z.output<typeof ContentsQuery>) => {
  const { skip, sort, ...page } = parsePage(query, { sortField: 'updatedAt', limit: 200 });
  const filter = contentsFilter(project, query);
  const [count, kbs] = await Promise.all([
    KbContent.countDocuments(filter),
    readMany(KbContent, filter, { fields: CONTENT_FIELDS, sort, skip, limit: page.limit }),
  ]);
  const { status, type, search } = query;
  return { count, query: { ...page, status, type, search }, kbs };
};

const addPages = (project: string, namespace: string, { list, ...options }: z.output<typeof PagesInput>) =>
  contents.addMany(
    project,
    list.map((source) => ({ ...options, namespace, type: 'url', source, name: source })),
  );

const findInNamespace = async (project: string, { id, namespace }: z.output<typeof ContentRef>) => {
  const content = await contents.find(project, id);
  if (content.namespace !== namespace) throw notFound(`Content not found with id ${id} for project ${project}`);
  return content;
};

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    bots: true,
    summary: 'List the contents of a knowledge base',
    query: ContentsQuery,
    missingParameterErrors: MISSING_QUERY_NAMESPACE,
    reply: z.strictObject({ count: z.number(), query: z.record(z.string(), z.unknown()), kbs: z.array(KbContentView) }),
    handle: ({ project, query }) => listContents(project, query),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    bots: true,
    summary:
      'Add a content to a knowledge base, or replace the content with the same source. It is indexed in the background',
    body: ContentInput,
    missingParameterErrors: MISSING_BODY_NAMESPACE,
    reply: z.strictObject({
      lastErrorObject: z.strictObject({ n: z.number(), updatedExisting: z.boolean(), upserted: Id.optional() }),
      value: KbContentView,
    }),
    handle: async ({ project, body }) => {
      await namespaces.find(project, body.namespace);
      return contents.add(project, body);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/multi`,
    role: 'admin',
    bots: true,
    bodySize: 'bulk',
    summary: 'Add up to 10,000 pages to a knowledge base',
    query: NamespaceQuery,
    body: PagesInput,
    missingParameterErrors: { ...MISSING_QUERY_NAMESPACE, list: "parameter 'list' is not defined" },
    reply: z.array(KbContentView),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, query.namespace);
      return addPages(project, query.namespace, body);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/sitemap`,
    role: 'admin',
    bots: true,
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
    path: `${BASE_PATH}/scrape/single`,
    role: 'admin',
    bots: true,
    summary: 'Reindex a content',
    body: ContentRef,
    missingParameterErrors: MISSING_BODY_NAMESPACE,
    reply: z.strictObject({ success: z.literal(true), message: z.string() }),
    handle: async ({ project, body }) => {
      await namespaces.find(project, body.namespace);
      await contents.reindex(project, body);
      return { success: true as const, message: 'Content queued for reindexing' };
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/scrape/status`,
    role: 'admin',
    bots: true,
    summary: 'Get the indexing status of a content',
    query: flagQuery('returnObject'),
    body: ContentRef,
    missingParameterErrors: MISSING_BODY_NAMESPACE,
    reply: z.union([IndexingStatusView, KbContentView]),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, body.namespace);
      const content = await findInNamespace(project, body);
      return query.returnObject === 'true' ? content : toIndexingStatus(content);
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:content_id`,
    role: 'admin',
    bots: true,
    summary: 'Get a content',
    reply: KbContentView,
    handle: ({ project, params }) => contents.find(project, params.content_id),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:content_id`,
    record: { collection: 'kb_contents', parameter: 'content_id' },
    role: 'admin',
    bots: true,
    summary: 'Delete a content with its chunks and vectors',
    aliases: [{ method: 'post' }],
    reply: KbContentView,
    handle: ({ project, params }) => contents.remove(project, params.content_id),
  }),
];
