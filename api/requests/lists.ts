/** Lists of conversations: the project's, and a visitor's own. */
import type { z } from 'zod';
import * as requests from '#shared/domain/conversations/requests.ts';
import { Project } from '#shared/models/project.ts';
import { Request } from '#shared/models/request.ts';
import { countOf } from '#shared/read.ts';
import { isZone } from '#shared/wall-clock.ts';
import { pageOf } from '../http/paging.ts';
import { requestsFilter } from './filter.ts';
import type { RequestsQuery } from './query.ts';

const DEFAULT = 40;
const MOST = 100;
const ZONE = /"tzname"\s*:\s*"([^"]+)"/;

/** Where the dates of a query are read (decision 17); nobody asks for it without dates. */
const zoneOf = async (project: string, query: z.output<typeof RequestsQuery>): Promise<string> => {
  const { start_date, end_date, start_date_time, end_date_time, timezone } = query;
  if (timezone || !(start_date || end_date || start_date_time || end_date_time)) return timezone ?? 'UTC';
  const found = await Project.findOne({ _id: project }, { operatingHours: 1 }).lean();
  const [, zone = 'UTC'] = ZONE.exec(found?.operatingHours ?? '') ?? [];
  return isZone(zone) ? zone : 'UTC';
};

/** A page of the conversations that match the query and lie within `border`, and how many there are. */
export const listOf = async (project: string, query: z.output<typeof RequestsQuery>, border: object) => {
  const limit = query.limit && query.limit <= MOST ? query.limit : DEFAULT;
  const { sort, skip } = pageOf({ ...query, limit }, { sortField: 'createdAt', limit });
  const filter = { ...requestsFilter(project, query, await zoneOf(project, query)), ...border };
  const [count, stored] = await Promise.all([
    query.no_count ? 0 : countOf(Request, filter),
    requests.list(filter, { sort, skip, limit }),
  ]);
  return { perPage: limit, count, stored };
};
