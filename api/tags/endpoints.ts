/** The tags that a project offers its teammates (contract b 8.1). */
import { z } from 'zod';
import * as tags from '#shared/domain/conversations/tags.ts';
import { TagView } from '#shared/models/tag.ts';
import { FreeObject } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { Removed, removed } from '../http/removed.ts';
import { given } from '../http/given.ts';
import { paged, pageOf } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/tags';
const ONE = `${ROOT}/:tag_id`;
const PAGE = 40;

const Name = z.string().trim().min(1).max(LIMITS.name);
const Color = z.string().trim().max(LIMITS.color).meta({ description: 'For example `#0a7cff`' });

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'The tags that are offered',
    query: paged(['createdAt', 'updatedAt', 'tag'], PAGE),
    reply: z.array(TagView),
    handle: ({ project, query }) => tags.list(project, pageOf(query, { sortField: 'createdAt', limit: PAGE })),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    role: 'agent',
    bots: true,
    summary: 'One tag',
    reply: TagView,
    handle: ({ project, params }) => tags.read(project, params.tag_id),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'Offer a tag; one that has the name already is the answer, as it is',
    body: z.object({ tag: Name, color: Color.nullish(), attributes: FreeObject.nullish() }),
    reply: TagView,
    handle: ({ project, body: { tag, ...more }, actor }) => tags.create(project, { tag, ...given(more) }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'tags', by: 'tag_id' },
    role: 'agent',
    bots: true,
    summary: 'Change a tag; conversations keep theirs',
    body: z.object({ tag: Name.nullish(), color: Color.nullish(), attributes: FreeObject.nullish() }),
    reply: TagView,
    errors: { 409: 'Another tag has the name' },
    handle: ({ project, params, body }) => tags.update(project, params.tag_id, given(body)),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'tags', by: 'tag_id' },
    role: 'agent',
    bots: true,
    summary: 'Offer a tag no longer; conversations keep theirs',
    reply: Removed,
    handle: async ({ project, params }) => removed(await tags.remove(project, params.tag_id)),
  }),
];
