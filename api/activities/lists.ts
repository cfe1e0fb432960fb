/** Activities as a page, and as a table. */
import type { z } from 'zod';
import * as activities from '#shared/domain/activities/activities.ts';
import { type Language, sentence } from '#shared/domain/activities/sentences.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { zoneOf } from '#shared/domain/projects/zone.ts';
import { csv } from '../http/csv.ts';
import { pageOf } from '../http/paging.ts';
import { between } from '../requests/dates.ts';
import { type ActivitiesQuery, PER_PAGE, type TableQuery } from './query.ts';
import { COLUMNS, rowOf } from './rows.ts';

const MOST_ROWS = 100_000;

type Listing = z.output<typeof ActivitiesQuery>;
type Table = z.output<typeof TableQuery>;

const wantedOf = async (project: string, { agent_id: user, activities: verbs, ...query }: Table) => ({
  user,
  verbs,
  span: query.start_date || query.end_date ? between(query, await zoneOf(project)) : null,
});

const perPage = ({ chart, limit = PER_PAGE.usual }: Listing) => {
  const most = chart ? PER_PAGE.chart : PER_PAGE.most;
  return limit > most ? { limit: most, limitWarning: `limit: ${most} at most` } : { limit };
};

/** A page of them, each with what it says. */
export const listOf = async (project: string, query: Listing) => {
  const { limit, ...warning } = perPage(query);
  const { sort, skip } = pageOf({ ...query, limit }, { sortField: 'createdAt', limit });
  const found = await activities.list(project, await wantedOf(project, query), { sort, skip, limit });
  return {
    perPage: limit,
    count: found.count,
    activities: found.activities.map((activity) => ({ ...activity, message: sentence(activity) })),
    ...(query.chart && { chart: true as const }),
    ...warning,
  };
};

async function* rows(found: AsyncIterable<activities.StoredActivity>, language: Language, project: string) {
  for await (const activity of found) yield rowOf(activity, language, project);
}

/** All of them as CSV. */
export const tableOf = async (project: string, query: Table) => {
  const { sort } = pageOf(query, { sortField: 'createdAt', limit: MOST_ROWS });
  const [wanted, { name }] = await Promise.all([wantedOf(project, query), projects.read(project)]);
  const found = activities.each(project, wanted, { sort, limit: MOST_ROWS });
  return csv(COLUMNS, rows(found, query.lang === 'it' ? 'it' : 'en', name));
};
