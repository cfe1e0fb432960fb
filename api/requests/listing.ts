/** Lists of conversations, and how many there are (contract b 1.3, 1.5, 1.20). */
import { z } from 'zod';
import * as requests from '#shared/domain/conversations/requests.ts';
import { BareRequestView, BareVisitorRequestView, RequestView, VisitorRequestView } from '#shared/models/request.ts';
import { NextCursor } from '../http/cursor.ts';
import { endpoint } from '../http/endpoint.ts';
import { Counts, countsOf, CountsQuery } from './counts.ts';
import { ownOf, within } from './filter.ts';
import { listOf } from './lists.ts';
import { RequestsQuery } from './query.ts';

const ROOT = '/v3/:project_id/requests';

const listed = <V extends z.ZodType>(request: V) =>
  z.strictObject({ perPage: z.number(), count: z.number(), next_cursor: NextCursor, requests: z.array(request) });

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'List conversations; an agent sees those it could have been given and those it takes part in',
    query: RequestsQuery,
    reply: listed(z.union([RequestView, BareRequestView])),
    handle: async ({ project, query, actor }) => {
      const { stored, ...page } = await listOf(project, query, within(actor));
      return { ...page, requests: query.no_populate ? stored.map(requests.bare) : await requests.show(stored) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/me`,
    role: 'guest',
    bots: true,
    summary: "List the caller's own conversations, as their visitor sees them",
    query: RequestsQuery,
    reply: listed(z.union([VisitorRequestView, BareVisitorRequestView])),
    handle: async ({ project, query, actor }) => {
      const { stored, ...page } = await listOf(project, query, ownOf(actor));
      if (query.no_populate)
        return { ...page, requests: stored.map((request) => BareVisitorRequestView.parse(requests.bare(request))) };
      return { ...page, requests: (await requests.show(stored)).map(requests.forVisitor) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/count`,
    role: 'agent',
    bots: true,
    summary: 'How many conversations wait and are served, or how many of the present month are open and closed',
    query: CountsQuery,
    reply: Counts,
    handle: ({ project, query }) => countsOf(project, query),
  }),
];
