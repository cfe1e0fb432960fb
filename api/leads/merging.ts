/** Who is who: somebody by what is known, and two records of one person. */
import { z } from 'zod';
import { lookUp, merge } from '#shared/domain/leads/merging.ts';
import { LeadView } from '#shared/models/lead.ts';
import { Id } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { Known } from './input.ts';

const ROOT = '/v3/:project_id/leads';
const forTeam = { role: 'agent', bots: true } as const;

export default [
  endpoint({
    method: 'get',
    path: `${ROOT}/lookup`,
    ...forTeam,
    summary: 'The lead with this `lead_id`, e-mail or phone number, the latest of several',
    query: Known,
    reply: LeadView,
    handle: ({ project, query }) => lookUp(project, query),
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/:id/merge`,
    ...forTeam,
    record: { in: 'leads', by: 'id' },
    summary: 'Merge another lead into this one; its conversations follow, and it is deleted',
    body: z.object({ lead: Id.meta({ description: '`_id` of the lead that turned out to be this one' }) }),
    reply: LeadView,
    errors: { 409: 'One of them was deleted' },
    handle: ({ project, params, body }) => merge({ id_project: project, _id: params.id }, body.lead),
  }),
];
