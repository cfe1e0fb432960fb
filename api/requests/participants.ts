/** Who takes part in a conversation (contract b 1.12). */
import * as participants from '#shared/domain/conversations/participants.ts';
import { showOne } from '#shared/domain/conversations/requests.ts';
import { RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { Members } from './fields.ts';
import { NewParticipant } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests/:request_id/participants';

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary: "Let one more take part in a conversation; a teammate's coming ends the part of its bots",
    body: NewParticipant,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body: { member }, actor }) =>
      showOne(await participants.add({ id_project, request_id }, member, actor)),
  }),
  endpoint({
    method: 'put',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary: 'Put these in the place of all who take part in a conversation',
    body: Members,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      showOne(await participants.set({ id_project, request_id }, body, actor)),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:participant_id`,
    record,
    role: 'agent',
    bots: true,
    summary: "End somebody's part in a conversation",
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id, participant_id }, actor }) =>
      showOne(await participants.remove({ id_project, request_id }, participant_id, actor)),
  }),
];
