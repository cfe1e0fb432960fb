/** Custom events (contract 4.18, part d B.3). */
import { z } from 'zod';
import * as events from '#shared/domain/events/custom-events.ts';
import { EventView } from '#shared/models/event.ts';
import { endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import { EventsQuery, NewEvent, PER_PAGE } from './input.ts';

const ROOT = '/v3/:project_id/events';

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'guest',
    bots: true,
    summary: 'Fire a custom event; it is kept for a while and told to whoever follows',
    body: NewEvent,
    reply: EventView,
    handle: ({ project, body, actor }) => events.fire(project, body, actor),
  }),
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    summary: 'List the custom events that are kept',
    query: EventsQuery,
    reply: z.strictObject({ perPage: z.number(), count: z.number(), events: z.array(EventView) }),
    handle: async ({ project, query }) => {
      const { sort, skip, limit } = pageOf(query, { sortField: 'createdAt', limit: PER_PAGE });
      const filter = query.project_user ? { project_user: query.project_user } : {};
      return { perPage: limit, ...(await events.list(project, filter, { sort, skip, limit })) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:id`,
    role: 'agent',
    summary: 'One custom event',
    reply: EventView,
    handle: ({ project, params }) => events.read(project, params.id),
  }),
];
