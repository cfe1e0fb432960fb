/** Runs the queries of conversation lists: filter, count, page and search. */
import { countRecords } from '#shared/database/raw-read.ts';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import * as counters from '#shared/domain/conversations/counters.ts';
import { conversationField, toCondition } from '#shared/domain/leads/segment-filter.ts';
import * as segments from '#shared/domain/leads/segments.ts';
import { timeZoneOf } from '#shared/domain/availability/operating-hours.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { afterCursor, nextCursor } from '../http/request/cursor.ts';
import { type Page, parsePage } from '../http/request/paging.ts';
import { conversationsFilter } from './filter.ts';
import { CONVERSATIONS_PER_PAGE, MAX_PER_PAGE, type ParsedConversationsQuery } from './query-input.ts';
import { searchConversations } from './search.ts';

/** Returns the time zone for the dates in a query. Reads the project only if the query has dates but no time zone. */
const queryTimeZone = async (project: string, query: ParsedConversationsQuery): Promise<string> => {
  const { start_date, end_date, start_date_time, end_date_time, timezone } = query;
  if (timezone || !(start_date || end_date || start_date_time || end_date_time)) return timezone ?? 'UTC';
  return timeZoneOf(project);
};

/** Counts the matches with the stored counters if they cover the filter, otherwise in the collection. */
const countMatching = (filter: object & { id_project: string }): Promise<number> =>
  counters.canCount(filter) ? counters.count(filter) : countRecords(Conversation, filter);

/** Returns a segment's conditions on the leads of conversations. Throws 404 if the segment does not exist. */
const segmentConditions = async (project: string, segment?: string): Promise<object[]> =>
  segment ? [toCondition(await segments.find(project, segment), [], conversationField)] : [];

/** Returns the filter of a list: the conditions of the query and of its segment, and `scopeFilter`. */
export const listFilter = async (project: string, query: ParsedConversationsQuery, scopeFilter: object) => {
  const filter = conversationsFilter(project, query, await queryTimeZone(project, query));
  const conditions = [...(filter.$and ?? []), ...(await segmentConditions(project, query.segment))];
  return { ...filter, ...(conditions.length && { $and: conditions }), ...scopeFilter };
};

/** What the caller of a list may see. */
interface ListScope {
  /** Restricts the list to the conversations that the caller may see. */
  scopeFilter: object;
  isVisitor: boolean;
}

const noColumns = () => ({});

const isCountRequested = ({ count, no_count }: ParsedConversationsQuery): boolean => count !== false && !no_count;

const loadPage = async (filter: object & { id_project: string }, page: Page, query: ParsedConversationsQuery) => {
  const { sort, skip, limit } = page;
  const [count, stored] = await Promise.all([
    isCountRequested(query) ? countMatching(filter) : 0,
    conversations.list(afterCursor(filter, page, query.cursor), { sort, skip, limit }),
  ]);
  return { count, next_cursor: nextCursor(page, stored), stored, columnsOf: noColumns };
};

/**
 * Returns a page of the matching conversations and their count. `columnsOf(request_id)` returns the search columns of a
 * conversation (score and highlights), which are empty unless the query has `full_text`.
 */
export const listConversations = async (
  project: string,
  query: ParsedConversationsQuery,
  { scopeFilter, isVisitor }: ListScope,
) => {
  const limit = query.limit && query.limit <= MAX_PER_PAGE ? query.limit : CONVERSATIONS_PER_PAGE;
  const page = parsePage({ ...query, limit }, { sortField: 'createdAt', limit });
  const filter = await listFilter(project, query, scopeFilter);
  const { full_text } = query;
  const found = full_text
    ? await searchConversations({ ...query, full_text, ...page }, { filter, isVisitor })
    : await loadPage(filter, page, query);
  return { perPage: limit, ...found, ...(isCountRequested(query) ? {} : { count: 0 }) };
};
