/** Lead endpoints. A lead is the contact record of a person with whom a project has conversations. */
import { z } from 'zod';
import { countRecords } from '#shared/database/raw-read.ts';
import * as leadWrites from '#shared/domain/leads/lead-writes.ts';
import * as leads from '#shared/domain/leads/leads.ts';
import type { LeadFilters } from '#shared/domain/leads/segment-filter.ts';
import * as segments from '#shared/domain/leads/segments.ts';
import { AppError } from '#shared/errors.ts';
import { Lead, LeadView } from '#shared/models/lead.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { afterCursor, NextCursor, nextCursor } from '../http/request/cursor.ts';
import { parsePage } from '../http/request/paging.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import exports from './export-endpoints.ts';
import imports from './import-endpoints.ts';
import { FieldsPatch, LeadChange, LeadsQuery, NewLead, NewTags } from './input.ts';
import { leadsFilter } from './leads-filter.ts';
import merges from './merge-endpoints.ts';

const BASE_PATH = '/v3/:project_id/leads';
const RECORD_PATH = `${BASE_PATH}/:id`;

const leadKey = (id_project: string, { id }: { id: string }) => ({ id_project, _id: id });

const LeadsReply = z.strictObject({
  perPage: z.number(),
  count: z.number(),
  next_cursor: NextCursor,
  leads: z.array(LeadView),
});

const listLeads = async (project: string, query: z.output<typeof LeadsQuery>) => {
  const page = parsePage(query, { sortField: 'createdAt', limit: 40 });
  const { sort, skip, limit } = page;
  const segment = query.segment ? ((await segments.find(project, query.segment)) as LeadFilters) : undefined;
  const filter = leadsFilter(project, query, segment);
  const [count, found] = await Promise.all([
    query.count === false ? 0 : countRecords(Lead, filter),
    leads.list(afterCursor(filter, page, query.cursor), { sort, skip, limit }),
  ]);
  return { perPage: limit, count, next_cursor: nextCursor(page, found), leads: found };
};

const assertHasTags = (tags: string[]): void => {
  const message = 'At least one tag is required';
  if (!tags.length) throw new AppError(400, 'PARAMETER_MISSING', message).with({ body: { message } });
};

export default [
  ...exports,
  ...imports,
  ...merges,
  endpoint({
    method: 'get',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'List the leads of a project, newest first',
    query: LeadsQuery,
    reply: LeadsReply,
    handle: ({ project, query }) => listLeads(project, query),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    ...agentsAndPrograms,
    summary: 'Get a lead',
    reply: LeadView,
    handle: ({ project, params }) => leads.find(leadKey(project, params)),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'Create a lead',
    body: NewLead,
    reply: LeadView,
    errors: { 409: 'Another lead has this `lead_id`' },
    handle: ({ project, body, actor }) => leadWrites.create(project, body, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Update a lead; absent and null fields are unchanged',
    body: LeadChange,
    reply: LeadView,
    handle: ({ project, params, body }) => leadWrites.update(leadKey(project, params), body),
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/tag`,
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Add tags to a lead; existing tags are unchanged',
    body: NewTags,
    reply: LeadView,
    errors: { 400: 'The body contains no tag' },
    handle: async ({ project, params, body }) => {
      assertHasTags(body);
      return leadWrites.addTags(leadKey(project, params), body);
    },
  }),
  endpoint({
    method: 'delete',
    path: `${RECORD_PATH}/tag/:tag`,
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Remove a tag from a lead',
    reply: LeadView,
    handle: ({ project, params }) => leadWrites.removeTag(leadKey(project, params), params.tag),
  }),
  endpoint({
    method: 'patch',
    path: `${RECORD_PATH}/attributes`,
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Merge attributes into a lead',
    body: FieldsPatch,
    reply: LeadView,
    handle: ({ project, params, body }) => leadWrites.mergeFields(leadKey(project, params), 'attributes', body),
  }),
  endpoint({
    method: 'patch',
    path: `${RECORD_PATH}/properties`,
    aliases: [{ method: 'post' }],
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Merge properties into a lead',
    body: FieldsPatch,
    reply: LeadView,
    handle: ({ project, params, body }) => leadWrites.mergeFields(leadKey(project, params), 'properties', body),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'leads', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Delete a lead; its record is kept with status 1000',
    reply: LeadView,
    handle: ({ project, params }) => leadWrites.remove(leadKey(project, params)),
  }),
  endpoint({
    method: 'delete',
    path: `${RECORD_PATH}/physical`,
    record: { collection: 'leads', parameter: 'id' },
    role: 'owner',
    summary: 'Delete a lead permanently',
    reply: DeleteResult,
    handle: async ({ project, params }) => {
      await leadWrites.erase(leadKey(project, params));
      return deleteResult(1);
    },
  }),
];
