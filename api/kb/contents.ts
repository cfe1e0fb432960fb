import { z } from 'zod';
import * as contents from '#shared/domain/knowledge/contents.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { convert } from '#shared/domain/knowledge/sitemaps.ts';
import { notFound } from '#shared/errors.ts';
import { KbContent, KbContentView } from '#shared/models/kb-content.ts';
import { readMany } from '#shared/read.ts';
import { fieldsOf, Id } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import { contentsFilter } from './filter.ts';
import {
  ContentInput,
  ContentsQuery,
  FlagQuery,
  MultiInput,
  NamespaceQuery,
  NamespaceRef,
  SitemapInput,
} from './input.ts';
import { Progress, progressOf } from './progress.ts';

const ROOT = '/v3/:project_id/kb';
const FIELDS = fieldsOf(KbContentView);
const NO_PARAMETER = { namespace: "parameter 'namespace' is not defined" };
const NO_QUERY = { namespace: "queryParam 'namespace' is not defined" };

const list = async (project: string, query: z.output<typeof ContentsQuery>) => {
  const { skip, sort, ...page } = pageOf(query, { sortField: 'updatedAt', limit: 200 });
  const filter = contentsFilter(project, query);
  const [count, kbs] = await Promise.all([
    KbContent.countDocuments(filter),
    readMany(KbContent, filter, { fields: FIELDS, sort, skip, limit: page.limit }),
  ]);
  const { status, type, search } = query;
  return { count, query: { ...page, status, type, search }, kbs };
};

const addPages = (project: string, namespace: string, { list, ...options }: z.output<typeof MultiInput>) =>
  contents.addMany(
    project,
    list.map((source) => ({ ...options, namespace, type: 'url', source, name: source })),
  );

const within = async (project: string, { id, namespace }: z.output<typeof NamespaceRef>) => {
  const content = await contents.find(project, id);
  if (content.namespace !== namespace) throw notFound(`Content not found with id ${id} for project ${project}`);
  return content;
};

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'admin',
    bots: true,
    summary: 'List the contents of a knowledge base',
    query: ContentsQuery,
    missing: NO_QUERY,
    reply: z.strictObject({ count: z.number(), query: z.record(z.string(), z.unknown()), kbs: z.array(KbContentView) }),
    handle: ({ project, query }) => list(project, query),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    bots: true,
    summary: 'Add a content to a knowledge base, or queue it again; it is indexed in the background',
    body: ContentInput,
    missing: NO_PARAMETER,
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
    path: `${ROOT}/multi`,
    role: 'admin',
    bots: true,
    size: 'bulk',
    summary: 'Add up to 10,000 pages to a knowledge base',
    query: NamespaceQuery,
    body: MultiInput,
    missing: { ...NO_QUERY, list: "parameter 'list' is not defined" },
    reply: z.array(KbContentView),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, query.namespace);
      return addPages(project, query.namespace, body);
    },
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/sitemap`,
    role: 'admin',
    bots: true,
    summary: 'Convert a sitemap, its index files included, to a list of pages; adds nothing',
    body: SitemapInput,
    reply: z.strictObject({
      url: z.string(),
      sites: z.array(z.string()),
      errors: z.array(z.strictObject({ type: z.string(), message: z.string(), url: z.string(), retries: z.number() })),
    }),
    handle: ({ body, signal }) => convert(body.sitemap, signal),
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/scrape/single`,
    role: 'admin',
    bots: true,
    summary: 'Fetch and index a content again',
    body: NamespaceRef,
    missing: NO_PARAMETER,
    reply: z.strictObject({ success: z.literal(true), message: z.string() }),
    handle: async ({ project, body }) => {
      await namespaces.find(project, body.namespace);
      await contents.reindex(project, body);
      return { success: true as const, message: 'Content queued for reindexing' };
    },
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/scrape/status`,
    role: 'admin',
    bots: true,
    summary: 'Tell how far a content is',
    query: FlagQuery('returnObject'),
    body: NamespaceRef,
    missing: NO_PARAMETER,
    reply: z.union([Progress, KbContentView]),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, body.namespace);
      const content = await within(project, body);
      return query.returnObject === 'true' ? content : progressOf(content);
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:content_id`,
    role: 'admin',
    bots: true,
    summary: 'Read a content',
    reply: KbContentView,
    handle: ({ project, params }) => contents.find(project, params.content_id),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:content_id`,
    record: { in: 'kb_contents', by: 'content_id' },
    role: 'admin',
    bots: true,
    summary: 'Delete a content with its passages and vectors',
    aliases: [{ method: 'post' }],
    reply: KbContentView,
    handle: ({ project, params }) => contents.remove(project, params.content_id),
  }),
];
