/** Lists of conversations: the project's, and a visitor's own. */
import type { z } from 'zod';
import * as requests from '#shared/domain/conversations/requests.ts';
import { conditionOf, inConversation } from '#shared/domain/conversations/segment-filter.ts';
import * as segments from '#shared/domain/conversations/segments.ts';
import * as tallies from '#shared/domain/conversations/tallies.ts';
import { zoneOf } from '#shared/domain/projects/zone.ts';
import { Request } from '#shared/models/request.ts';
import { countOf } from '#shared/read.ts';
import { after, next } from '../http/cursor.ts';
import { type Page, pageOf } from '../http/paging.ts';
import { requestsFilter } from './filter.ts';
import type { RequestsQuery } from './query.ts';
import { searchOf } from './search.ts';

type Asked = z.output<typeof RequestsQuery>;

const DEFAULT = 40;
const MOST = 100;

/** Where the dates of a query are read (decision 17); nobody asks for it without dates. */
const zoneFor = async (project: string, query: Asked): Promise<string> => {
  const { start_date, end_date, start_date_time, end_date_time, timezone } = query;
  if (timezone || !(start_date || end_date || start_date_time || end_date_time)) return timezone ?? 'UTC';
  return zoneOf(project);
};

/** How many match: the default lists are counted already. */
const counted = (filter: object & { id_project: string }): Promise<number> =>
  tallies.know(filter) ? tallies.count(filter) : countOf(Request, filter);

/** What a segment asks of the leads of conversations; 404 for an unknown one. */
const segmentFor = async (project: string, segment?: string): Promise<object[]> =>
  segment ? [conditionOf(await segments.find(project, segment), [], inConversation)] : [];

/** The conversations that match the query and lie within `border`. */
export const filterFor = async (project: string, query: Asked, border: object) => {
  const filter = requestsFilter(project, query, await zoneFor(project, query));
  const more = [...(filter.$and ?? []), ...(await segmentFor(project, query.segment))];
  return { ...filter, ...(more.length && { $and: more }), ...border };
};

/** Who asks for a list: what of the project it may list, and whether it is a visitor. */
interface For {
  border: object;
  isVisitor: boolean;
}

const nothing = () => ({});

const isCounted = ({ count, no_count }: Asked): boolean => count !== false && !no_count;

const pageIn = async (filter: object & { id_project: string }, page: Page, query: Asked) => {
  const { sort, skip, limit } = page;
  const [count, stored] = await Promise.all([
    isCounted(query) ? counted(filter) : 0,
    requests.list(after(filter, page, query.cursor), { sort, skip, limit }),
  ]);
  return { count, next_cursor: next(page, stored), stored, tell: nothing };
};

/** A page of the conversations that match the query and lie within the border, how many there are, and what is to be told beside each. */
export const listOf = async (project: string, query: Asked, { border, isVisitor }: For) => {
  const limit = query.limit && query.limit <= MOST ? query.limit : DEFAULT;
  const page = pageOf({ ...query, limit }, { sortField: 'createdAt', limit });
  const filter = await filterFor(project, query, border);
  const { full_text } = query;
  const found = full_text
    ? await searchOf({ ...query, full_text, ...page }, { filter, isVisitor })
    : await pageIn(filter, page, query);
  return { perPage: limit, ...found, ...(isCounted(query) ? {} : { count: 0 }) };
};
