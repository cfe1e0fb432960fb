/** Endpoints for the tag catalogue: the tags that a project offers its teammates. */
import { z } from 'zod';
import * as tagCatalogue from '#shared/domain/conversations/catalogue/tag-catalogue.ts';
import { TagView } from '#shared/models/tag.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import { DeleteResult, deleteResult } from '../http/response/delete-result.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/tags';
const RECORD_PATH = `${BASE_PATH}/:tag_id`;
const TAGS_PER_PAGE = 40;

const TagName = z.string().trim().min(1).max(INPUT_LIMITS.name);
const TagColor = z.string().trim().max(INPUT_LIMITS.color).meta({ description: 'For example `#0a7cff`' });

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'List the tags of the catalogue',
    query: pagingQuery(['createdAt', 'updatedAt', 'tag'], TAGS_PER_PAGE),
    reply: z.array(TagView),
    handle: ({ project, query }) =>
      tagCatalogue.list(project, parsePage(query, { sortField: 'createdAt', limit: TAGS_PER_PAGE })),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Get a tag of the catalogue',
    reply: TagView,
    handle: ({ project, params }) => tagCatalogue.read(project, params.tag_id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Add a tag to the catalogue. An existing tag with the same name is returned unchanged',
    body: z.object({ tag: TagName, color: TagColor.nullish(), attributes: FreeObject.nullish() }),
    reply: TagView,
    handle: ({ project, body: { tag, ...rest }, actor }) =>
      tagCatalogue.create(project, { tag, ...omitNullish(rest) }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'tags', parameter: 'tag_id' },
    role: 'agent',
    programs: 'all',
    summary: 'Update a tag of the catalogue; tags of conversations are unchanged',
    body: z.object({ tag: TagName.nullish(), color: TagColor.nullish(), attributes: FreeObject.nullish() }),
    reply: TagView,
    errors: { 409: 'Another tag has this name' },
    handle: ({ project, params, body }) => tagCatalogue.update(project, params.tag_id, omitNullish(body)),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'tags', parameter: 'tag_id' },
    role: 'agent',
    programs: 'all',
    summary: 'Delete a tag from the catalogue; tags of conversations are unchanged',
    reply: DeleteResult,
    handle: async ({ project, params }) => deleteResult(await tagCatalogue.remove(project, params.tag_id)),
  }),
];
