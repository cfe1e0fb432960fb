/** Endpoints that look up a lead by an identifier and merge two leads. */
import { z } from 'zod';
import { lookUp, merge } from '#shared/domain/leads/merge-leads.ts';
import { LeadView } from '#shared/models/lead.ts';
import { Id } from '#shared/wire/view.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { LeadLookupQuery } from './input.ts';

const BASE_PATH = '/v3/:project_id/leads';

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/lookup`,
    ...agentsAndPrograms,
    summary: 'Find the newest lead with the given `lead_id`, email address or phone number',
    query: LeadLookupQuery,
    reply: LeadView,
    handle: ({ project, query }) => lookUp(project, query),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/:id/merge`,
    ...agentsAndPrograms,
    record: { collection: 'leads', parameter: 'id' },
    summary:
      'Merge another lead into this lead. The other lead is deleted; a job then moves its conversations to this lead',
    body: z.object({ lead: Id.meta({ description: '`_id` of the lead to merge into this lead' }) }),
    reply: LeadView,
    errors: { 409: 'One of the two leads is deleted' },
    handle: ({ project, params, body }) => merge({ id_project: project, _id: params.id }, body.lead),
  }),
];
