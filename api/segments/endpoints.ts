/** Segments: saved filters of leads (contract b 9). */
import { z } from 'zod';
import * as segments from '#shared/domain/conversations/segments.ts';
import { SegmentView } from '#shared/models/segment.ts';
import { endpoint } from '../http/endpoint.ts';
import { paged, pageOf } from '../http/paging.ts';
import { Asking, asksOf, NewSegment, SegmentChange } from './input.ts';

const ROOT = '/v3/:project_id/segments';
const ONE = `${ROOT}/:id`;
const LIMIT = 40;
const forTeam = { role: 'agent', bots: true } as const;

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    ...forTeam,
    summary: 'The segments of the project, the latest first',
    query: paged(['createdAt', 'updatedAt', 'name'], LIMIT),
    reply: z.strictObject({ perPage: z.number(), count: z.number(), segments: z.array(SegmentView) }),
    handle: ({ project, query }) => segments.list(project, pageOf(query, { sortField: 'createdAt', limit: LIMIT })),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    ...forTeam,
    summary: 'One segment',
    reply: SegmentView,
    handle: ({ project, params }) => segments.find(project, params.id),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    ...forTeam,
    summary: 'Make a segment: leads that meet all or any of its filters',
    body: NewSegment,
    reply: SegmentView,
    handle: ({ project, body, actor }) => segments.create(project, { name: body.name, ...asksOf(body) }, actor.id),
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/preview`,
    ...forTeam,
    summary: 'How many leads such filters hold, before they are saved',
    body: Asking,
    reply: z.strictObject({ count: z.number() }),
    handle: async ({ project, body }) => ({ count: await segments.preview(project, asksOf(body)) }),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'segments', by: 'id' },
    ...forTeam,
    summary: 'Change a segment; what is absent stays as it is',
    body: SegmentChange,
    reply: SegmentView,
    handle: ({ project, params, body }) => segments.update(project, params.id, body),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'segments', by: 'id' },
    ...forTeam,
    summary: 'Delete a segment; it stays in storage with status 0',
    reply: SegmentView,
    handle: ({ project, params }) => segments.remove(project, params.id),
  }),
];
