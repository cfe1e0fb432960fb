/** Knowledge base endpoints. */
import { z } from 'zod';
import { listBotsAsking } from '#shared/domain/bots/intents.ts';
import * as deletions from '#shared/domain/knowledge/deletions.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { exportNamespace, importNamespace } from '#shared/domain/knowledge/namespace-file.ts';
import { CONTENT_STATUS } from '#shared/models/kb-content.ts';
import { KbDeletionView } from '#shared/models/kb-deletion.ts';
import { KbNamespaceView } from '#shared/models/kb-namespace.ts';
import { Id } from '#shared/wire/view.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { readJsonUpload } from '../http/request/json-upload.ts';
import { optionalInteger } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { checkModel } from './check-engines.ts';
import { ContentChunksView, listContentChunks } from './content-chunks.ts';
import { flagQuery, NamespaceChanges, NewNamespace } from './input.ts';
import { readImportedContents } from './namespace-file.ts';

const BASE_PATH = '/v3/:project_id/kb/namespace';
const SuccessReply = z.strictObject({ success: z.literal(true), message: z.string() });
const toSuccessReply = (message: string) => ({ success: true as const, message });

/** Returns the name of the file to which a knowledge base is exported. */
const fileName = (name: string): string =>
  `${
    name
      .normalize('NFKD')
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/[\s_-]+/g, '-')
      .toLowerCase() || 'knowledge-base'
  }.json`;

const FlagText = z.string().max(10).optional();

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/all`,
    role: 'admin',
    programs: 'all',
    summary: 'List the knowledge bases; the default knowledge base always exists',
    query: flagQuery('count'),
    reply: z.array(KbNamespaceView),
    handle: ({ project, query }) => namespaces.list(project, query.count !== undefined),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    programs: 'all',
    summary: 'Create a knowledge base',
    aliases: [{ method: 'get' }],
    body: NewNamespace,
    reply: KbNamespaceView,
    handle: ({ project, body }) => namespaces.add(project, body),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:id`,
    role: 'admin',
    programs: 'all',
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
    path: `${BASE_PATH}/:id`,
    role: 'admin',
    programs: 'all',
    summary: 'Delete a knowledge base, or only its contents with `content_only=true`',
    query: z.object({ content_only: FlagText, contents_only: FlagText }),
    reply: SuccessReply.extend({
      deletion: KbDeletionView.meta({
        description: 'The report on the deletion, which continues in the background if there are many contents',
      }),
    }),
    handle: async ({ project, params, query }) => {
      const onlyContents = [query.content_only, query.contents_only].includes('true');
      const deletion = await (onlyContents ? deletions.clearNamespace : deletions.removeNamespace)(project, params.id);
      // Deployed clients read the misspelled message.
      const message = onlyContents ? 'All contents deleted successfully' : 'Namespace deleted succesfully';
      return { ...toSuccessReply(message), deletion };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v3/:project_id/kb/deletions/:deletion_id',
    role: 'admin',
    programs: 'all',
    summary: 'Get the report on a deletion: how many contents it has deleted, and when it finished',
    reply: KbDeletionView,
    handle: ({ project, params }) => deletions.find(project, params.deletion_id),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:id/chatbots`,
    role: 'admin',
    programs: 'all',
    summary: 'List the bots that query a knowledge base',
    reply: z.array(z.strictObject({ _id: Id, name: z.string() })),
    handle: async ({ project, params }) => {
      await namespaces.find(project, params.id);
      return listBotsAsking(project, params.id);
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/export/:id`,
    role: 'admin',
    programs: 'all',
    summary: 'Export the texts, FAQs and pages of a knowledge base as JSON',
    query: z.object({ status: optionalInteger(CONTENT_STATUS.queued, CONTENT_STATUS.failed) }),
    downloads: 'application/json',
    reply: z.record(z.string(), z.unknown()),
    handle: async ({ project, params, query: { status } }) => {
      const namespace = await namespaces.find(project, params.id);
      return new Download(exportNamespace(namespace, status), fileName(namespace.name));
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/import/:id`,
    role: 'admin',
    programs: 'all',
    summary: 'Replace the texts, FAQs and pages of a knowledge base with those of an exported one',
    uploads: { type: 'application/json', maxBytes: INPUT_LIMITS.kbFileBytes },
    reply: SuccessReply,
    errors: { 400: 'The file is not an exported knowledge base' },
    handle: async ({ project, params, upload }) => {
      await namespaces.find(project, params.id);
      const file = await readJsonUpload(upload as Upload);
      await importNamespace(project, params.id, readImportedContents(file, params.id));
      return toSuccessReply('Contents imported successfully');
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:id/chunks/:content_id`,
    role: 'admin',
    programs: 'all',
    summary: 'List the indexed chunks of a content',
    reply: ContentChunksView,
    handle: async ({ project, params }) => {
      await namespaces.find(project, params.id);
      return { matches: await listContentChunks(project, params.id, params.content_id) };
    },
  }),
];
