/** What a conversation is, changed field by field (contract b 1.8, 1.16, 1.17). */
import { z } from 'zod';
import * as patching from '#shared/domain/conversations/patching.ts';
import { forVisitor, isTeam, showOne } from '#shared/domain/conversations/requests.ts';
import { RequestView, VisitorRequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { AttributesPatch, Patch, Rating } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests/:request_id';

export default [
  endpoint({
    method: 'patch',
    path: ROOT,
    record,
    role: 'agent',
    bots: true,
    summary:
      'Set what is given of a conversation; a status is set as it is, with none of what closing and reopening do',
    body: Patch,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      showOne(await patching.patch({ id_project, request_id }, body, actor)),
  }),
  endpoint({
    method: 'patch',
    path: `${ROOT}/attributes`,
    record,
    role: 'agent',
    bots: true,
    summary: "Lay some keys over a conversation's attributes; those that the service keeps are refused",
    body: AttributesPatch,
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, body }) =>
      showOne(await patching.mergeAttributes({ id_project, request_id }, body)),
  }),
  endpoint({
    method: 'patch',
    path: `${ROOT}/rating`,
    record,
    role: 'guest',
    bots: true,
    summary: 'Rate a conversation of which one is the visitor',
    body: Rating,
    reply: z.union([RequestView, VisitorRequestView]),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const shown = await showOne(await patching.rate({ id_project, request_id }, body, actor));
      return isTeam(actor) ? shown : forVisitor(shown);
    },
  }),
];
