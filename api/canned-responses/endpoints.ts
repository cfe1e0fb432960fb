/** Canned response endpoints. */
import { z } from 'zod';
import * as cannedResponses from '#shared/domain/conversations/catalogue/canned-responses.ts';
import { render } from '#shared/domain/conversations/catalogue/render-canned-response.ts';
import { CannedResponseView } from '#shared/models/canned-response.ts';
import { flag } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/canned';
const RECORD_PATH = `${BASE_PATH}/:canned_id`;
const RESPONSES_PER_PAGE = 1000;

const ResponseText = z.string().min(1).max(INPUT_LIMITS.messageText).meta({
  description: '`$recipient_name` and `$agent_name` are replaced with the names of the recipient and the agent',
});
const ResponseTitle = z.string().trim().max(INPUT_LIMITS.name).nullish();

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    summary: 'List the shared canned responses and your own',
    query: pagingQuery(['createdAt', 'updatedAt', 'title'], RESPONSES_PER_PAGE),
    reply: z.array(CannedResponseView),
    handle: ({ project, query, actor }) =>
      cannedResponses.list(project, actor, parsePage(query, { sortField: 'createdAt', limit: RESPONSES_PER_PAGE })),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'agent',
    summary: 'Get a canned response that is shared or your own',
    reply: CannedResponseView,
    handle: ({ project, params, actor }) => cannedResponses.read({ id_project: project, _id: params.canned_id }, actor),
  }),
  endpoint({
    method: 'get',
    path: `${RECORD_PATH}/text`,
    role: 'agent',
    summary: 'Render a canned response for a conversation, with the names of the agent and the recipient',
    query: z.object({
      request_id: z
        .string()
        .min(1)
        .max(INPUT_LIMITS.conversationId)
        .meta({ description: '`request_id` of the conversation' }),
    }),
    reply: z.strictObject({ text: z.string() }),
    handle: async ({ project, params, query, actor }) => ({
      text: await render({ id_project: project, _id: params.canned_id }, query.request_id, actor),
    }),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    summary: 'Create a canned response',
    body: z.object({
      title: ResponseTitle,
      text: ResponseText,
      attributes: FreeObject.nullish(),
      shared: flag().nullish().meta({
        description: '`true`: share the response with the team. Responses by admins and owners are always shared',
      }),
    }),
    reply: CannedResponseView,
    handle: ({ project, body: { text, ...rest }, actor }) =>
      cannedResponses.create(project, { text, ...omitNullish(rest) }, actor),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'canned', parameter: 'canned_id' },
    role: 'agent',
    summary:
      'Update a canned response. Agents can update only their own; admins and owners can also update shared ones',
    body: z.object({ title: ResponseTitle, text: ResponseText.nullish(), attributes: FreeObject.nullish() }),
    reply: CannedResponseView,
    handle: ({ project, params, body, actor }) =>
      cannedResponses.update({ id_project: project, _id: params.canned_id }, omitNullish(body), actor),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'canned', parameter: 'canned_id' },
    role: 'agent',
    summary: 'Trash a canned response',
    reply: CannedResponseView,
    handle: ({ project, params, actor }) => cannedResponses.hide({ id_project: project, _id: params.canned_id }, actor),
  }),
  endpoint({
    method: 'delete',
    path: `${RECORD_PATH}/physical`,
    record: { collection: 'canned', parameter: 'canned_id' },
    role: 'agent',
    summary: 'Delete a canned response permanently',
    reply: DeleteResult,
    handle: async ({ project, params, actor }) =>
      deleteResult(await cannedResponses.remove({ id_project: project, _id: params.canned_id }, actor)),
  }),
];
