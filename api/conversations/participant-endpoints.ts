/** Endpoints for the participants of a conversation. */
import * as participants from '#shared/domain/conversations/assignment/participants.ts';
import { teamView } from '#shared/domain/conversations/conversation.ts';
import { ConversationView } from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { MemberInput } from './input.ts';
import { MemberIds } from '../messages/input.ts';
import { record } from './record.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id/participants';

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Add a participant to a conversation. Adding a teammate removes bots that participate',
    body: MemberInput,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body: { member }, actor }) =>
      teamView(await participants.add({ id_project, request_id }, member, actor)),
  }),
  endpoint({
    method: 'put',
    path: BASE_PATH,
    record,
    role: 'agent',
    programs: 'all',
    summary:
      'Replace the participants of a conversation. In the channels `email` and `form`, only one participant can be set, ' +
      'and only while no agent participates',
    body: MemberIds,
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      teamView(await participants.set({ id_project, request_id }, body, actor)),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:participant_id`,
    record,
    role: 'agent',
    programs: 'all',
    summary: 'Remove a participant from a conversation',
    reply: ConversationView,
    handle: async ({ project: id_project, params: { request_id, participant_id }, actor }) =>
      teamView(await participants.remove({ id_project, request_id }, participant_id, actor)),
  }),
];
