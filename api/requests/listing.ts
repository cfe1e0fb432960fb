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
import { beside } from './search.ts';

const ROOT = '/v3/:project_id/requests';

const listed = <V extends z.ZodType>(request: V) =>
  z.strictObject({
    perPage: z.number(),
    count: z.number().meta({ description: 'Of a search: those found so far, until `next_cursor` is null' }),
    next_cursor: NextCursor,
    requests: z.array(request),
  });

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'List conversations; an agent sees those it could have been given and those it takes part in',
    query: RequestsQuery,
    reply: listed(z.union([RequestView.extend(beside), BareRequestView.extend(beside)])),
    handle: async ({ project, query, actor }) => {
      const whose = { border: within(actor), isVisitor: !requests.isTeam(actor) };
      const { stored, tell, ...page } = await listOf(project, query, whose);
      const shown = query.no_populate ? stored.map(requests.bare) : await requests.show(stored);
      return { ...page, requests: shown.map((request) => ({ ...request, ...tell(request.request_id) })) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/me`,
    role: 'guest',
    bots: true,
    summary: "List the caller's own conversations, as their visitor sees them",
    query: RequestsQuery.omit({ segment: true }), // what it holds is no visitor's to find out
    reply: listed(z.union([VisitorRequestView.extend(beside), BareVisitorRequestView.extend(beside)])),
    handle: async ({ project, query, actor }) => {
      const { stored, tell, ...page } = await listOf(project, query, { border: ownOf(actor), isVisitor: true });
      const shown = query.no_populate
        ? stored.map((request) => BareVisitorRequestView.parse(requests.bare(request)))
        : (await requests.show(stored)).map(requests.forVisitor);
      return { ...page, requests: shown.map((request) => ({ ...request, ...tell(request.request_id) })) };
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
