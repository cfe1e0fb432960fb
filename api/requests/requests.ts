import { newUuid } from '#shared/context.ts';
import { create } from '#shared/domain/conversations/conversations.ts';
import * as requests from '#shared/domain/conversations/requests.ts';
import { withTranscript } from '#shared/domain/conversations/transcripts.ts';
import { BareRequestView, ClosedRequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { NewRequest } from './input.ts';

const ROOT = '/v3/:project_id/requests';

const generated = (project: string): string => `support-group-${project}-${newUuid().replaceAll('-', '')}`;

export default [
  endpoint({
    method: 'get',
    path: `${ROOT}/:request_id`,
    role: 'agent',
    bots: true,
    summary: 'One conversation',
    reply: ClosedRequestView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      withTranscript(await requests.showOne(await requests.find({ id_project, request_id }))),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary:
      'Open a conversation in which nothing is said yet; its lead, requester and department are told by their ids',
    errors: { 409: 'There is a conversation of this `request_id`' },
    body: NewRequest,
    reply: BareRequestView,
    handle: async ({ project: id_project, body: { request_id = generated(id_project), ...given }, actor }) =>
      requests.bare(await create({ id_project, request_id }, given, actor)),
  }),
];
