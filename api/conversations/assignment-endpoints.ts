/** Endpoints that assign conversations and explain routing decisions. */
import { z } from 'zod';
import * as assignment from '#shared/domain/conversations/assignment/assign.ts';
import { refView, type StoredConversation, teamView } from '#shared/domain/conversations/conversation.ts';
import { ConversationRefView, ConversationView } from '#shared/models/conversation.ts';
import { RoutingDecisionView } from '#shared/models/routing-decision.ts';
import { endpoint } from '../http/endpoint.ts';
import { BotRef, DepartmentTarget } from './input.ts';
import { record } from './record.ts';

const CONVERSATION_PATH = '/v3/:project_id/requests/:request_id';

const ConversationReply = z.union([ConversationView, ConversationRefView]);

const toReply = (conversation: StoredConversation, { no_populate = false }: { no_populate?: boolean }) =>
  no_populate ? refView(conversation) : teamView(conversation);

export default [
  endpoint({
    method: 'put',
    path: `${CONVERSATION_PATH}/departments`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Move a conversation of any status to a department; routing selects new participants',
    body: DepartmentTarget,
    reply: ConversationReply,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      toReply(await assignment.moveToDepartment({ id_project, request_id }, body, actor), body),
  }),
  endpoint({
    method: 'put',
    path: `${CONVERSATION_PATH}/assign`,
    record,
    role: 'agent',
    programs: 'all',
    summary:
      'Assign an unassigned conversation. A served or closed one is returned unchanged, with the ids of its lead, requester and department instead of their records',
    body: DepartmentTarget,
    reply: ConversationReply,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const { request, isRouted } = await assignment.assign({ id_project, request_id }, body, actor);
      return toReply(request, { no_populate: body.no_populate || !isRouted });
    },
  }),
  endpoint({
    method: 'put',
    path: `${CONVERSATION_PATH}/agent`,
    record,
    role: 'agent',
    programs: 'all',
    summary: "Hand a conversation over from a bot to an agent of the conversation's department",
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, actor }) =>
      teamView(await assignment.handOverToAgent({ id_project, request_id }, actor)),
  }),
  endpoint({
    method: 'put',
    path: `${CONVERSATION_PATH}/replace`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Remove all participants from a conversation and add a bot',
    errors: { 400: 'The body does not identify a bot' },
    body: BotRef,
    reply: ConversationView.extend({ replaced_bot_root_id: z.string() }),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const { request, bot } = await assignment.replaceByBot({ id_project, request_id }, body, actor);
      return { ...(await teamView(request)), replaced_bot_root_id: bot };
    },
  }),
  endpoint({
    method: 'get',
    path: `${CONVERSATION_PATH}/routing`,
    role: 'agent',
    programs: 'all',
    summary:
      'Explain the latest routing decisions about a conversation, oldest first: why each agent was or was not selected',
    reply: z.strictObject({ request_id: z.string(), decisions: z.array(RoutingDecisionView) }),
    handle: async ({ project: id_project, params: { request_id } }) => ({
      request_id,
      decisions: await assignment.readDecisions({ id_project, request_id }),
    }),
  }),
];
