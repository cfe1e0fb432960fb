/** Endpoints for followers of a conversation: teammates who do not participate but receive its messages by email. */
import * as followers from '#shared/domain/conversations/assignment/followers.ts';
import { teamView } from '#shared/domain/conversations/conversation.ts';
import { ConversationView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { FollowersInput, MemberInput } from './input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id/followers';

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Add a follower to a conversation',
    body: MemberInput,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body: { member } }) =>
      teamView(await followers.add({ id_project, request_id }, member)),
  }),
  endpoint({
    method: 'put',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Replace the followers of a conversation',
    body: FollowersInput,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      teamView(await followers.set({ id_project, request_id }, body)),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:follower_id`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Remove a follower from a conversation',
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id, follower_id } }) =>
      teamView(await followers.remove({ id_project, request_id }, follower_id)),
  }),
];
