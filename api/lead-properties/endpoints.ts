/** Endpoints for lead properties: fields that a project adds to its leads. */
import { z } from 'zod';
import * as properties from '#shared/domain/leads/properties.ts';
import { PROPERTY_STATUS, PropertyView } from '#shared/models/property.ts';
import { oneOfNumbers } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { optionalInteger, pagingQuery, parsePage } from '../http/request/paging.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/properties';
const RECORD_PATH = `${BASE_PATH}/:id`;
const PROPERTIES_PER_PAGE = 40;
const record = { collection: 'properties', parameter: 'id' };

const propertyKey = (id_project: string, { id }: { id: string }) => ({ id_project, _id: id });

const PropertyText = z.string().trim().min(1).max(INPUT_LIMITS.name);
const PropertyName = PropertyText.regex(/^[^.$\0][^.\0]*$/, 'must not contain a dot or start with $').meta({
  description: 'Key in the `properties` of leads',
});
const PropertyType = PropertyText.nullish().meta({ description: 'Default `text`' });
const PropertyStatus = oneOfNumbers(Object.values(PROPERTY_STATUS)).nullish();

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'List the lead properties, newest first',
    query: pagingQuery(['createdAt', 'updatedAt', 'name', 'label'], PROPERTIES_PER_PAGE, {
      name: z.string().max(INPUT_LIMITS.name).optional().meta({ description: 'Exact name' }),
      status: optionalInteger(0, PROPERTY_STATUS.deleted).meta({ description: 'Default 100 (active); 1000: deleted' }),
    }),
    reply: z.array(PropertyView),
    handle: ({ project: id_project, query: { name, status = PROPERTY_STATUS.active, ...page } }) =>
      properties.list(
        { id_project, status, ...(name !== undefined && { name }) },
        parsePage(page, { sortField: 'createdAt', limit: PROPERTIES_PER_PAGE }),
      ),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    ...agentsAndPrograms,
    summary: 'Get a lead property',
    reply: PropertyView,
    handle: ({ project, params }) => properties.find(propertyKey(project, params)),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'Create a lead property',
    body: z.object({ label: PropertyText, name: PropertyName, type: PropertyType, status: PropertyStatus }),
    reply: PropertyView,
    handle: ({ project, body: { label, name, ...rest }, actor }) =>
      properties.create(project, { label, name, ...omitNullish(rest) }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record,
    ...agentsAndPrograms,
    summary: 'Update a lead property; absent and null fields are unchanged',
    body: z.object({
      label: PropertyText.nullish(),
      name: PropertyName.nullish(),
      type: PropertyType,
      status: PropertyStatus,
    }),
    reply: PropertyView,
    handle: ({ project, params, body }) => properties.update(propertyKey(project, params), omitNullish(body)),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record,
    ...agentsAndPrograms,
    summary: 'Delete a lead property; its record is kept with status 1000, and leads keep their values',
    reply: PropertyView,
    handle: ({ project, params }) => properties.remove(propertyKey(project, params)),
  }),
  endpoint({
    method: 'delete',
    path: `${RECORD_PATH}/physical`,
    record,
    role: 'owner',
    summary: 'Delete a lead property permanently',
    reply: DeleteResult,
    handle: async ({ project, params }) => deleteResult(await properties.erase(propertyKey(project, params))),
  }),
];
