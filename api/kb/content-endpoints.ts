/** Endpoints for the contents of a knowledge base. */
import { z } from 'zod';
import { readMany } from '#shared/database/raw-read.ts';
import * as contents from '#shared/domain/knowledge/contents.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { updateContent } from '#shared/domain/knowledge/update-content.ts';
import { KbContent, KbContentView } from '#shared/models/kb-content.ts';
import { Id, projectionOf } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { ChangedContent, ContentInput, ContentsQuery } from './content-input.ts';

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

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    programs: 'all',
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
    programs: 'all',
    summary:
      'Add a content to a knowledge base, or replace the content with the same type and source. It is indexed in the background',
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
    method: 'get',
    path: `${BASE_PATH}/:content_id`,
    role: 'admin',
    programs: 'all',
    summary: 'Get a content',
    reply: KbContentView,
    handle: ({ project, params }) => contents.find(project, params.content_id),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:content_id`,
    record: { collection: 'kb_contents', parameter: 'content_id' },
    role: 'admin',
    programs: 'all',
    summary:
      'Replace the fields of a content and index it again. A content that is moved to another namespace gets a new id',
    body: ChangedContent,
    missingParameterErrors: { namespace: "Missing 'namespace' body parameter" },
    reply: KbContentView,
    errors: { 409: 'Another content of the knowledge base has this type and source' },
    handle: async ({ project, params, body }) => {
      await namespaces.find(project, body.namespace);
      return updateContent(project, params.content_id, body);
    },
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:content_id`,
    record: { collection: 'kb_contents', parameter: 'content_id' },
    role: 'admin',
    programs: 'all',
    summary: 'Delete a content with its chunks and vectors',
    aliases: [{ method: 'post' }],
    reply: KbContentView,
    handle: ({ project, params }) => contents.remove(project, params.content_id),
  }),
];
