/** Leads: the people a project talks with (contract b 5). */
import { z } from 'zod';
import * as changes from '#shared/domain/conversations/lead-changes.ts';
import * as leads from '#shared/domain/conversations/leads.ts';
import * as segments from '#shared/domain/conversations/segments.ts';
import type { Filters } from '#shared/domain/conversations/segment-filter.ts';
import { AppError } from '#shared/errors.ts';
import { Lead, LeadView } from '#shared/models/lead.ts';
import { countOf } from '#shared/read.ts';
import { after, next, NextCursor } from '../http/cursor.ts';
import { endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import exports from './exports.ts';
import imports from './imports.ts';
import { leadsFilter } from './filter.ts';
import merging from './merging.ts';
import { LeadChange, LeadsQuery, Merge, NewLead, NewTags } from './input.ts';

const ROOT = '/v3/:project_id/leads';
const ONE = `${ROOT}/:id`;
const forTeam = { role: 'agent', bots: true } as const;

const which = (id_project: string, { id }: { id: string }) => ({ id_project, _id: id });

const Leads = z.strictObject({
  perPage: z.number(),
  count: z.number(),
  next_cursor: NextCursor,
  leads: z.array(LeadView),
});

const list = async (project: string, query: z.output<typeof LeadsQuery>) => {
  const page = pageOf(query, { sortField: 'createdAt', limit: 40 });
  const { sort, skip, limit } = page;
  const segment = query.segment ? ((await segments.find(project, query.segment)) as Filters) : undefined;
  const filter = leadsFilter(project, query, segment);
  const [count, found] = await Promise.all([
    query.count === false ? 0 : countOf(Lead, filter),
    leads.list(after(filter, page, query.cursor), { sort, skip, limit }),
  ]);
  return { perPage: limit, count, next_cursor: next(page, found), leads: found };
};

const refuseNone = (tags: string[]): void => {
  const message = 'At least one tag is needed';
  if (!tags.length) throw new AppError(400, 'MISSING', message).with({ body: { message } });
};

export default [
  ...exports,
  ...imports,
  ...merging,
  endpoint({
    method: 'get',
    path: ROOT,
    ...forTeam,
    summary: 'The leads of the project, the latest first',
    query: LeadsQuery,
    reply: Leads,
    handle: ({ project, query }) => list(project, query),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    ...forTeam,
    summary: 'One lead',
    reply: LeadView,
    handle: ({ project, params }) => leads.find(which(project, params)),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    ...forTeam,
    summary: 'Make a lead',
    body: NewLead,
    reply: LeadView,
    errors: { 409: 'The `lead_id` is that of another lead' },
    handle: ({ project, body, actor }) => changes.create(project, body, actor.id),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Change a lead; what is absent or null stays as it is',
    body: LeadChange,
    reply: LeadView,
    handle: ({ project, params, body }) => changes.update(which(project, params), body),
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/tag`,
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Add the tags that a lead does not have yet',
    body: NewTags,
    reply: LeadView,
    errors: { 400: 'No tag is given' },
    handle: async ({ project, params, body }) => {
      refuseNone(body);
      return changes.addTags(which(project, params), body);
    },
  }),
  endpoint({
    method: 'delete',
    path: `${ONE}/tag/:tag`,
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Take a tag from a lead',
    reply: LeadView,
    handle: ({ project, params }) => changes.removeTag(which(project, params), params.tag),
  }),
  endpoint({
    method: 'patch',
    path: `${ONE}/attributes`,
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Set some attributes of a lead and keep the others',
    body: Merge,
    reply: LeadView,
    handle: ({ project, params, body }) => changes.merge(which(project, params), 'attributes', body),
  }),
  endpoint({
    method: 'patch',
    path: `${ONE}/properties`,
    aliases: [{ method: 'post' }],
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Set some properties of a lead and keep the others',
    body: Merge,
    reply: LeadView,
    handle: ({ project, params, body }) => changes.merge(which(project, params), 'properties', body),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'leads', by: 'id' },
    ...forTeam,
    summary: 'Delete a lead; it stays in storage with status 1000',
    reply: LeadView,
    handle: ({ project, params }) => changes.remove(which(project, params)),
  }),
  endpoint({
    method: 'delete',
    path: `${ONE}/physical`,
    record: { in: 'leads', by: 'id' },
    role: 'owner',
    summary: 'Remove a lead for good',
    reply: z.strictObject({ n: z.number(), ok: z.number(), deletedCount: z.number() }),
    handle: async ({ project, params }) => {
      await changes.erase(which(project, params));
      return { n: 1, ok: 1, deletedCount: 1 };
    },
  }),
];
