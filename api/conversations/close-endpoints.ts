/** Endpoints that close, reopen and delete conversations. */
import { z } from 'zod';
import { isTeam, teamView, visitorView } from '#shared/domain/conversations/conversation.ts';
import * as lifecycle from '#shared/domain/conversations/lifecycle/close.ts';
import { remove, removeRecord } from '#shared/domain/conversations/lifecycle/delete.ts';
import { withTranscript, withVisitorTranscript } from '#shared/domain/conversations/transcripts/transcripts.ts';
import {
  ClosedConversationView,
  ClosedVisitorConversationView,
  ConversationView,
} from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import { CloseInput } from './input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests';
const RECORD_PATH = `${BASE_PATH}/:request_id`;

export default [
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/close`,
    record,
    role: 'agent',
    programs: 'all',
    summary:
      'Close a conversation. Agents can close only conversations in which they participate. Closing a closed conversation changes nothing unless `force` is true',
    body: CloseInput,
    reply: ClosedConversationView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      withTranscript(await teamView(await lifecycle.close({ id_project, request_id }, actor, body))),
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/closeg`,
    record,
    role: 'guest',
    programs: 'all',
    summary:
      'Close your own conversation; bots and subscriptions can close any. A closed conversation is returned unchanged',
    reply: z.union([ClosedConversationView, ClosedVisitorConversationView]),
    handle: async ({ project: id_project, params: { request_id }, actor }) => {
      const { request, wasOpen } = await lifecycle.closeByVisitor({ id_project, request_id }, actor);
      const conversation = await teamView(request);
      if (!wasOpen) return isTeam(actor) ? conversation : visitorView(conversation);
      return isTeam(actor) ? withTranscript(conversation) : withVisitorTranscript(visitorView(conversation));
    },
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/reopen`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Reopen a closed conversation with its participants. An open conversation remains unchanged',
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      teamView(await lifecycle.reopen({ id_project, request_id })),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record,
    role: 'owner',
    summary: 'Delete a conversation with its messages',
    reply: ConversationView,
    handle: ({ project: id_project, params: { request_id } }) => remove({ id_project, request_id }),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/id/:id`,
    record: { collection: 'requests', parameter: 'id' },
    role: 'owner',
    summary: 'Delete a conversation by its `_id`; its messages are kept',
    reply: DeleteResult,
    handle: async ({ project, params: { id } }) => {
      await removeRecord(project, id);
      return deleteResult(1);
    },
  }),
];
