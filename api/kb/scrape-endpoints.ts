/** Endpoints that reindex a content and report its indexing status. */
import { z } from 'zod';
import * as contents from '#shared/domain/knowledge/contents.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { refreshSitemap } from '#shared/domain/knowledge/sitemap-contents.ts';
import { notFound } from '#shared/errors.ts';
import { KbContentView } from '#shared/models/kb-content.ts';
import { endpoint } from '../http/endpoint.ts';
import { IndexingStatusView, toIndexingStatus } from './indexing-status.ts';
import { ContentRef, flagQuery } from './input.ts';

const BASE_PATH = '/v3/:project_id/kb/scrape';
const MISSING_NAMESPACE = { namespace: "parameter 'namespace' is not defined" };
const QUEUED = { success: true as const, message: 'Content queued for reindexing' };

const findInNamespace = async (project: string, { id, namespace }: z.output<typeof ContentRef>) => {
  const content = await contents.find(project, id);
  if (content.namespace !== namespace) throw notFound(`Content not found with id ${id} for project ${project}`);
  return content;
};

/**
 * Queues a content, or reads a sitemap and adds its new pages. A page that the sitemap does not list is removed after
 * this one reading; the periodic refresh removes it only after several.
 */
const reindex = async (project: string, ref: z.output<typeof ContentRef>, signal: AbortSignal) => {
  const content = ref.type === 'sitemap' ? await findInNamespace(project, ref) : null;
  if (content?.type !== 'sitemap') {
    await contents.reindex(project, ref);
    return QUEUED;
  }
  const { added, removed } = await refreshSitemap({ id_project: project, id: ref.id, missesToRemove: 1 }, signal);
  return { ...QUEUED, added_urls: added, removed_url: removed };
};

export default [
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/single`,
    role: 'admin',
    programs: 'all',
    summary:
      'Reindex a content. With the `type` `sitemap`: add new pages of the sitemap, and remove pages that it no longer lists',
    body: ContentRef,
    missingParameterErrors: MISSING_NAMESPACE,
    reply: z.strictObject({
      success: z.literal(true),
      message: z.string(),
      added_urls: z.number().optional(),
      removed_url: z.number().optional(),
    }),
    errors: { 400: 'The sitemap lists no pages' },
    handle: async ({ project, body, signal }) => {
      await namespaces.find(project, body.namespace);
      return reindex(project, body, signal);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/status`,
    role: 'admin',
    programs: 'all',
    summary: 'Get the indexing status of a content',
    query: flagQuery('returnObject'),
    body: ContentRef,
    missingParameterErrors: MISSING_NAMESPACE,
    reply: z.union([IndexingStatusView, KbContentView]),
    handle: async ({ project, query, body }) => {
      await namespaces.find(project, body.namespace);
      const content = await findInNamespace(project, body);
      return query.returnObject === 'true' ? content : toIndexingStatus(content);
    },
  }),
];
