/** Endpoints for the progress of contents and imports. */
import { z } from 'zod';
import * as imports from '#shared/domain/knowledge/imports.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { readTimeline } from '#shared/domain/knowledge/read-timeline.ts';
import { KbAttemptView } from '#shared/models/kb-attempt.ts';
import { KbContentView } from '#shared/models/kb-content.ts';
import { KbImportView } from '#shared/models/kb-import.ts';
import { endpoint } from '../http/endpoint.ts';
import { ImportsQuery } from './input.ts';

const BASE_PATH = '/v3/:project_id/kb';
const DEFAULT_LIMIT = 50;

const ReasonView = z.strictObject({
  status: z.number().meta({ description: '-1: the contents are waiting; 400: they have failed' }),
  code: z.string(),
  count: z.number(),
  hint: z.string().nullish(),
  example: z.string().meta({ description: 'The source of one of the contents' }),
});

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:content_id/timeline`,
    role: 'admin',
    programs: 'all',
    summary: 'Get the latest attempts to index a content: their stages, durations and bytes, and why they failed',
    reply: z.strictObject({ content: KbContentView, attempts: z.array(KbAttemptView) }),
    handle: ({ project, params }) => readTimeline(project, params.content_id),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/imports`,
    role: 'admin',
    programs: 'all',
    summary: 'List the imports of a knowledge base, newest first',
    query: ImportsQuery,
    missingParameterErrors: { namespace: "queryParam 'namespace' is not defined" },
    reply: z.array(KbImportView),
    handle: async ({ project, query: { namespace, page = 0, limit = DEFAULT_LIMIT } }) => {
      await namespaces.find(project, namespace);
      return imports.list(project, namespace, { skip: page * limit, limit });
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/imports/:kb_import_id`,
    role: 'admin',
    programs: 'all',
    summary: 'Get the progress of an import, and the reasons why contents have failed or are waiting',
    reply: KbImportView.extend({ reasons: z.array(ReasonView) }),
    handle: ({ project, params }) => imports.find(project, params.kb_import_id),
  }),
];
