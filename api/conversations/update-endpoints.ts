/** Endpoints that update fields, attributes and the rating of a conversation. */
import { z } from 'zod';
import { isTeam, teamView, visitorView } from '#shared/domain/conversations/conversation.ts';
import * as updates from '#shared/domain/conversations/update-fields.ts';
import { ConversationView, VisitorConversationView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { AttributesPatch, ConversationPatch, RatingInput } from './input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id';

export default [
  endpoint({
    method: 'patch',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Update fields of a conversation. A `status` is only stored; it does not close or reopen the conversation',
    body: ConversationPatch,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      teamView(await updates.updateFields({ id_project, request_id }, body, actor)),
  }),
  endpoint({
    method: 'patch',
    path: `${BASE_PATH}/attributes`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Merge attributes into a conversation; reserved keys are ignored',
    body: AttributesPatch,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      teamView(await updates.mergeAttributes({ id_project, request_id }, body)),
  }),
  endpoint({
    method: 'patch',
    path: `${BASE_PATH}/rating`,
    record,
    role: 'guest',
    programs: 'all',
    summary: 'Rate your own conversation; bots and subscriptions can rate any conversation',
    body: RatingInput,
    reply: z.union([ConversationView, VisitorConversationView]),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const conversation = await teamView(await updates.rate({ id_project, request_id }, body, actor));
      return isTeam(actor) ? conversation : visitorView(conversation);
    },
  }),
];
