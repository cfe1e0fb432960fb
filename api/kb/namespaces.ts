import { z } from 'zod';
import { chunksOf } from '#shared/domain/chunks.ts';
import * as contents from '#shared/domain/contents.ts';
import * as namespaces from '#shared/domain/namespaces.ts';
import { KbNamespaceView } from '#shared/models/kb-namespace.ts';
import { AppError } from '#shared/errors.ts';
import { endpoint } from '../http/endpoint.ts';
import { FlagQuery, NamespaceChanges, NewNamespace } from './input.ts';

const ROOT = '/v3/:project_id/kb/namespace';
const Done = z.strictObject({ success: z.literal(true), message: z.string() });
const done = (message: string) => ({ success: true as const, message });

export default [
  endpoint({
    method: 'get',
    path: `${ROOT}/all`,
    role: 'admin',
    bots: true,
    summary: 'List the knowledge bases; the default one is always there',
    query: FlagQuery('count'),
    reply: z.array(KbNamespaceView),
    handle: ({ project, query }) => namespaces.list(project, query.count !== undefined),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    bots: true,
    summary: 'Make a knowledge base',
    aliases: [{ method: 'get' }],
    body: NewNamespace,
    reply: KbNamespaceView,
    handle: ({ project, body }) => namespaces.add(project, body),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/:id`,
    role: 'admin',
    bots: true,
    summary: 'Rename a knowledge base or replace its preview settings',
    body: NamespaceChanges,
    reply: KbNamespaceView,
    handle: ({ project, params, body: { name, preview_settings } }) =>
      namespaces.update(project, params.id, {
        ...(name ? { name } : {}),
        ...(preview_settings ? { preview_settings } : {}),
      }),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:id`,
    role: 'admin',
    bots: true,
    summary: 'Delete a knowledge base, or with content_only=true its contents alone',
    query: z.object({ content_only: z.string().max(10).optional(), contents_only: z.string().max(10).optional() }),
    reply: Done,
    handle: async ({ project, params, query }) => {
      const onlyContents = [query.content_only, query.contents_only].includes('true');
      await (onlyContents ? namespaces.clear : namespaces.remove)(project, params.id);
      return done(onlyContents ? 'All contents deleted successfully' : 'Namespace deleted succesfully');
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:id/chunks/:content_id`,
    role: 'admin',
    bots: true,
    summary: 'Read the passages of a content as they are searched',
    reply: z.strictObject({
      matches: z.array(
        z.strictObject({
          id: z.string(),
          metadata_id: z.string(),
          metadata_source: z.string(),
          metadata_type: z.string(),
          date: z.string(),
          text: z.string(),
        }),
      ),
    }),
    handle: async ({ project, params }) => {
      await namespaces.find(project, params.id);
      const content = await contents.find(project, params.content_id);
      if (content.namespace !== params.id) {
        throw new AppError(403, 'FORBIDDEN', 'Not allowed. The content does not belong to the current namespace.');
      }
      const about = { metadata_id: params.content_id, metadata_source: content.source, metadata_type: content.type };
      const date = content.last_refresh?.toISOString() ?? 'Date not defined';
      return {
        matches: (await chunksOf(project, params.content_id)).map(({ id, text }) => ({ id, ...about, date, text })),
      };
    },
  }),
];
