/** Who follows a conversation without taking part (contract b 1.13): memberships of teammates, who are mailed what is said. */
import * as followers from '#shared/domain/conversations/followers.ts';
import { showOne } from '#shared/domain/conversations/requests.ts';
import { RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { Followers, NewParticipant } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests/:request_id/followers';

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary: 'Let one more teammate follow a conversation',
    body: NewParticipant,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body: { member } }) =>
      showOne(await followers.add({ id_project, request_id }, member)),
  }),
  endpoint({
    method: 'put',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary: 'Put these in the place of all who follow a conversation',
    body: Followers,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      showOne(await followers.set({ id_project, request_id }, body)),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:follower_id`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Let a teammate follow a conversation no longer',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id, follower_id } }) =>
      showOne(await followers.remove({ id_project, request_id }, follower_id)),
  }),
];
