/** Endpoints that read and open a conversation. */
import { newUuid } from '#shared/context.ts';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import { create } from '#shared/domain/conversations/posting/post-message.ts';
import { withTranscript } from '#shared/domain/conversations/transcripts/transcripts.ts';
import { ClosedConversationView, ConversationRefView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { NewConversation } from './input.ts';

const BASE_PATH = '/v3/:project_id/requests';

const newRequestId = (project: string): string => `support-group-${project}-${newUuid().replaceAll('-', '')}`;

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:request_id`,
    role: 'agent',
    programs: 'all',
    summary: 'Get a conversation',
    reply: ClosedConversationView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      withTranscript(await conversations.teamView(await conversations.find({ id_project, request_id }))),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Open a conversation without messages. The reply contains the lead, requester and department as ids',
    errors: { 409: 'A conversation with this `request_id` already exists' },
    body: NewConversation,
    reply: ConversationRefView,
    handle: async ({ project: id_project, body: { request_id = newRequestId(id_project), ...fields }, actor }) =>
      conversations.refView(await create({ id_project, request_id }, fields, actor)),
  }),
];
