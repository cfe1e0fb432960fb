/** Custom event endpoints. */
import { z } from 'zod';
import * as typing from '#shared/domain/conversations/typing.ts';
import * as events from '#shared/domain/events/custom-events.ts';
import { CustomEventView } from '#shared/models/custom-event.ts';
import { visibilityFilter } from '../conversations/visibility.ts';
import { endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { EVENTS_PER_PAGE, EventsQuery, NewEvent } from './input.ts';

const BASE_PATH = '/v3/:project_id/events';

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'guest',
    programs: 'all',
    summary:
      'Emit a custom event. It is stored for a limited time and delivered to streams, sockets, subscriptions and triggers',
    body: NewEvent,
    reply: CustomEventView,
    handle: ({ project, body, actor }) => typing.emit(project, body, { ...actor, visible: visibilityFilter(actor) }),
  }),
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    summary: 'List the stored custom events',
    query: EventsQuery,
    reply: z.strictObject({ perPage: z.number(), count: z.number(), events: z.array(CustomEventView) }),
    handle: async ({ project, query }) => {
      const { sort, skip, limit } = parsePage(query, { sortField: 'createdAt', limit: EVENTS_PER_PAGE });
      const filter = query.project_user ? { project_user: query.project_user } : {};
      return { perPage: limit, ...(await events.list(project, filter, { sort, skip, limit })) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:id`,
    role: 'agent',
    summary: 'Get a custom event',
    reply: CustomEventView,
    handle: ({ project, params }) => events.read(project, params.id),
  }),
];
