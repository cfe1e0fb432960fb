/** Where a conversation goes, and why it went there (contract b 1.11). */
import { z } from 'zod';
import * as assigning from '#shared/domain/conversations/assigning.ts';
import { bare, type StoredRequest, showOne } from '#shared/domain/conversations/requests.ts';
import { DecisionView } from '#shared/models/decision.ts';
import { BareRequestView, RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { Destination, NamedBot } from './input.ts';
import { record } from './record.ts';

const ONE = '/v3/:project_id/requests/:request_id';

const Populated = z.union([RequestView, BareRequestView]);

const shown = (request: StoredRequest, { no_populate = false }: { no_populate?: boolean }) =>
  no_populate ? bare(request) : showOne(request);

export default [
  endpoint({
    method: 'put',
    path: `${ONE}/departments`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Send a conversation to a department, whatever its status; who takes part is chosen anew',
    body: Destination,
    reply: Populated,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      shown(await assigning.moveToDepartment({ id_project, request_id }, body, actor), body),
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/assign`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Give a conversation that nobody has to somebody; a served or closed one is answered as it is, with ids',
    body: Destination,
    reply: Populated,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const { request, isRouted } = await assigning.assign({ id_project, request_id }, body, actor);
      return shown(request, { no_populate: body.no_populate || !isRouted });
    },
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/agent`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Hand a conversation over from a bot to a human of its department',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id }, actor }) =>
      showOne(await assigning.handOver({ id_project, request_id }, actor)),
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/replace`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Put a bot in the place of all who take part in a conversation',
    errors: { 400: 'No bot is named' },
    body: NamedBot,
    reply: RequestView.extend({ replaced_bot_root_id: z.string() }),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const { request, bot } = await assigning.replaceBy({ id_project, request_id }, body, actor);
      return { ...(await showOne(request)), replaced_bot_root_id: bot };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ONE}/routing`,
    role: 'agent',
    bots: true,
    summary: 'Why each teammate was or was not chosen, in the latest decisions on a conversation, the last one last',
    reply: z.strictObject({ request_id: z.string(), decisions: z.array(DecisionView) }),
    handle: async ({ project: id_project, params: { request_id } }) => ({
      request_id,
      decisions: await assigning.decisionsOn({ id_project, request_id }),
    }),
  }),
];
