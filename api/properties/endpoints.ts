/** What a project adds to the fields of its leads (contract b 5.10). */
import { z } from 'zod';
import { oneOfNumbers } from '#shared/lenient.ts';
import * as properties from '#shared/domain/leads/properties.ts';
import { PROPERTY, PropertyView } from '#shared/models/property.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { paged, pageOf, wholeNumber } from '../http/paging.ts';
import { Removed, removed } from '../http/removed.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/properties';
const ONE = `${ROOT}/:id`;
const PAGE = 40;
const forTeam = { role: 'agent', bots: true } as const;
const record = { in: 'properties', by: 'id' };

const which = (id_project: string, { id }: { id: string }) => ({ id_project, _id: id });

const Text = z.string().trim().min(1).max(LIMITS.name);
const Name = Text.regex(/^[^.$\0][^.\0]*$/, 'must not have a dot or begin with $').meta({
  description: 'The key in the `properties` of leads',
});
const Type = Text.nullish().meta({ description: 'Default `text`' });
const Status = oneOfNumbers(Object.values(PROPERTY)).nullish();

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    ...forTeam,
    summary: 'The properties of leads, the latest first',
    query: paged(['createdAt', 'updatedAt', 'name', 'label'], PAGE, {
      name: z.string().max(LIMITS.name).optional().meta({ description: 'Exact name' }),
      status: wholeNumber(0, PROPERTY.deleted).meta({ description: 'Default 100; 1000: deleted' }),
    }),
    reply: z.array(PropertyView),
    handle: ({ project: id_project, query: { name, status = PROPERTY.active, ...page } }) =>
      properties.list(
        { id_project, status, ...(name !== undefined && { name }) },
        pageOf(page, { sortField: 'createdAt', limit: PAGE }),
      ),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    ...forTeam,
    summary: 'One property of leads',
    reply: PropertyView,
    handle: ({ project, params }) => properties.find(which(project, params)),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    ...forTeam,
    summary: 'Add a property to leads',
    body: z.object({ label: Text, name: Name, type: Type, status: Status }),
    reply: PropertyView,
    handle: ({ project, body: { label, name, ...more }, actor }) =>
      properties.create(project, { label, name, ...given(more) }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record,
    ...forTeam,
    summary: 'Change a property of leads; what is absent or null stays as it is',
    body: z.object({ label: Text.nullish(), name: Name.nullish(), type: Type, status: Status }),
    reply: PropertyView,
    handle: ({ project, params, body }) => properties.update(which(project, params), given(body)),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record,
    ...forTeam,
    summary: 'Delete a property of leads; it stays in storage with status 1000, and leads keep its values',
    reply: PropertyView,
    handle: ({ project, params }) => properties.remove(which(project, params)),
  }),
  endpoint({
    method: 'delete',
    path: `${ONE}/physical`,
    record,
    role: 'owner',
    summary: 'Remove a property of leads for good',
    reply: Removed,
    handle: async ({ project, params }) => removed(await properties.erase(which(project, params))),
  }),
];
