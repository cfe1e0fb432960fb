import { z } from 'zod';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { KbNamespaceView } from '#shared/models/kb-namespace.ts';
import { endpoint } from '../http/endpoint.ts';
import { checkModel } from './engines.ts';
import { FlagQuery, NamespaceChanges, NewNamespace } from './input.ts';
import { Matches, matchesIn } from './matches.ts';

const ROOT = '/v3/:project_id/kb/namespace';
const Done = z.strictObject({ success: z.literal(true), message: z.string() });
const done = (message: string) => ({ success: true as const, message });

const Flag = z.string().max(10).optional();

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
    handle: async ({ project, params, body: { name, preview_settings } }) => {
      checkModel('preview_settings.model', preview_settings?.model);
      return namespaces.update(project, params.id, {
        ...(name ? { name } : {}),
        ...(preview_settings ? { preview_settings } : {}),
      });
    },
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:id`,
    role: 'admin',
    bots: true,
    summary: 'Delete a knowledge base, or with content_only=true its contents alone',
    query: z.object({ content_only: Flag, contents_only: Flag }),
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
    reply: Matches,
    handle: async ({ project, params }) => {
      await namespaces.find(project, params.id);
      return { matches: await matchesIn(project, params.id, params.content_id) };
    },
  }),
];
