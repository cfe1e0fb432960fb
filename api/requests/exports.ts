/** Conversations as a table (contract b 1.4). */
import { z } from 'zod';
import type { Speaker, StoredRequest } from '#shared/domain/conversations/requests.ts';
import { Request } from '#shared/models/request.ts';
import { readEach } from '#shared/read.ts';
import { CSV, csv } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import { within } from './filter.ts';
import { filterFor } from './lists.ts';
import { RequestsQuery } from './query.ts';
import { COLUMNS, FIELDS, rowOf } from './rows.ts';
import { everyFound } from './search.ts';

const MOST_ROWS = 100_000;

const UNPAGED = { page: true, limit: true, cursor: true, count: true, no_count: true, no_populate: true } as const;
const Query = RequestsQuery.omit(UNPAGED).extend({
  mine: z.string().optional().meta({ description: "Given: the caller's own, as an agent sees them" }),
});
type Asked = z.output<typeof Query>;

async function* rows(found: AsyncIterable<StoredRequest>) {
  let left = MOST_ROWS;
  for await (const request of found) {
    if (!left--) return;
    yield rowOf(request);
  }
}

const tableOf = async (project: string, { mine, ...query }: Asked, by: Speaker) => {
  const border = within(mine === undefined ? by : { ...by, role: 'agent' });
  const filter = await filterFor(project, query, border);
  const { sort } = pageOf(query, { sortField: 'createdAt', limit: MOST_ROWS });
  const { full_text } = query;
  if (full_text) return csv(COLUMNS, rows(everyFound(full_text, { filter, isVisitor: false })));
  const found = readEach(Request, filter, { fields: FIELDS, sort, limit: MOST_ROWS });
  return csv(COLUMNS, rows(found as unknown as AsyncIterable<StoredRequest>));
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/csv',
    role: 'agent',
    bots: true,
    summary: 'The conversations that match as CSV, at most 100,000; an agent sees those of its list',
    query: Query,
    downloads: CSV,
    reply: z.string(),
    handle: async ({ project, query, actor }) => new Download(await tableOf(project, query, actor), 'requests.csv'),
  }),
];
