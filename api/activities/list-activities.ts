/** Lists activities in pages and exports them as CSV. */
import type { z } from 'zod';
import * as activities from '#shared/domain/activities/activities.ts';
import { describeActivity, type Language } from '#shared/domain/activities/describe-activity.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { timeZoneOf } from '#shared/domain/availability/operating-hours.ts';
import { toDateRange } from '../conversations/date-range.ts';
import { parsePage } from '../http/request/paging.ts';
import { csv } from '../http/response/csv.ts';
import { ACTIVITY_COLUMNS, toCsvRow } from './csv-columns.ts';
import { ACTIVITIES_PER_PAGE, type ActivitiesCsvQuery, type ActivitiesQuery } from './query-input.ts';

const MAX_CSV_ROWS = 100_000;

type ParsedActivitiesQuery = z.output<typeof ActivitiesQuery>;
type ParsedCsvQuery = z.output<typeof ActivitiesCsvQuery>;

const toActivityFilter = async (project: string, { agent_id: user, activities: verbs, ...query }: ParsedCsvQuery) => ({
  user,
  verbs,
  span: query.start_date || query.end_date ? toDateRange(query, await timeZoneOf(project)) : null,
});

const pageLimit = ({ chart, limit = ACTIVITIES_PER_PAGE.defaultLimit }: ParsedActivitiesQuery) => {
  const maxLimit = chart ? ACTIVITIES_PER_PAGE.maxChartLimit : ACTIVITIES_PER_PAGE.maxLimit;
  return limit > maxLimit
    ? { limit: maxLimit, limitWarning: `limit: reduced to the maximum of ${maxLimit}` }
    : { limit };
};

/** Returns a page of activities, each with a description. `limitWarning` is set if the limit was too high. */
export const listActivities = async (project: string, query: ParsedActivitiesQuery) => {
  const { limit, ...warning } = pageLimit(query);
  const { sort, skip } = parsePage({ ...query, limit }, { sortField: 'createdAt', limit });
  const found = await activities.list(project, await toActivityFilter(project, query), { sort, skip, limit });
  return {
    perPage: limit,
    count: found.count,
    activities: found.activities.map((activity) => ({ ...activity, message: describeActivity(activity) })),
    ...(query.chart && { chart: true as const }),
    ...warning,
  };
};

async function* csvRows(found: AsyncIterable<activities.StoredActivity>, language: Language, project: string) {
  for await (const activity of found) yield toCsvRow(activity, language, project);
}

/** Returns the matching activities as CSV, newest first unless sorted otherwise. */
export const exportActivities = async (project: string, query: ParsedCsvQuery) => {
  const { sort } = parsePage(query, { sortField: 'createdAt', limit: MAX_CSV_ROWS });
  const [filter, { name }] = await Promise.all([toActivityFilter(project, query), projects.read(project)]);
  const found = activities.stream(project, filter, { sort, limit: MAX_CSV_ROWS });
  return csv(ACTIVITY_COLUMNS, csvRows(found, query.lang === 'it' ? 'it' : 'en', name));
};
