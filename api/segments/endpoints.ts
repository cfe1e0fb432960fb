/** Segment endpoints. A segment is a saved filter of leads. */
import { z } from 'zod';
import * as segments from '#shared/domain/leads/segments.ts';
import { SegmentView } from '#shared/models/segment.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import { NewSegment, SegmentChange, SegmentFilterInput, toFilters } from './input.ts';

const BASE_PATH = '/v3/:project_id/segments';
const RECORD_PATH = `${BASE_PATH}/:id`;
const SEGMENTS_PER_PAGE = 40;

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'List the segments of a project, newest first',
    query: pagingQuery(['createdAt', 'updatedAt', 'name'], SEGMENTS_PER_PAGE),
    reply: z.strictObject({ perPage: z.number(), count: z.number(), segments: z.array(SegmentView) }),
    handle: ({ project, query }) =>
      segments.list(project, parsePage(query, { sortField: 'createdAt', limit: SEGMENTS_PER_PAGE })),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    ...agentsAndPrograms,
    summary: 'Get a segment',
    reply: SegmentView,
    handle: ({ project, params }) => segments.find(project, params.id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'Create a segment: the leads that match all or any of its filters',
    body: NewSegment,
    reply: SegmentView,
    handle: ({ project, body, actor }) => segments.create(project, { name: body.name, ...toFilters(body) }, actor.id),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/preview`,
    ...agentsAndPrograms,
    summary: 'Count the leads that match filters, without saving the filters',
    body: SegmentFilterInput,
    reply: z.strictObject({ count: z.number() }),
    handle: async ({ project, body }) => ({ count: await segments.preview(project, toFilters(body)) }),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'segments', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Update a segment; absent and null fields are unchanged',
    body: SegmentChange,
    reply: SegmentView,
    handle: ({ project, params, body }) => segments.update(project, params.id, body),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'segments', parameter: 'id' },
    ...agentsAndPrograms,
    summary: 'Delete a segment; its record is kept with status 0',
    reply: SegmentView,
    handle: ({ project, params }) => segments.remove(project, params.id),
  }),
];
