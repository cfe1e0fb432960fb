/** Query schemas of activities. */
import { z } from 'zod';
import { flag } from '#shared/wire/coercion.ts';
import { isId } from '#shared/wire/view.ts';
import { dateFilter } from '../conversations/query-input.ts';
import { optionalInteger, pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** Page sizes of the list of activities: default, maximum, and maximum for a chart. */
export const ACTIVITIES_PER_PAGE = { defaultLimit: 40, maxLimit: 100, maxChartLimit: 1000 };

/** Query of the list of activities. */
export const ActivitiesQuery = pagingQuery(['createdAt'], ACTIVITIES_PER_PAGE.defaultLimit, {
  limit: optionalInteger(1, 1_000_000).meta({
    description: 'Default 40, at most 100, or at most 1000 with `chart=true`',
  }),
  chart: flag()
    .optional()
    .meta({ description: '`true`: allow a `limit` of up to 1000, so that the client can draw a chart' }),
  agent_id: z
    .string()
    .refine(isId, 'must be 24 hexadecimal digits')
    .optional()
    .meta({ description: 'Id of a user: only activities that involve this user' }),
  activities: z
    .string()
    .max(INPUT_LIMITS.conversationText)
    .transform((text) => text.split(',').filter(Boolean))
    .optional()
    .meta({ description: 'Comma-separated verbs, such as `REQUEST_CREATE`: only activities with one of these verbs' }),
  start_date: dateFilter('day', 'First day'),
  end_date: dateFilter('day', 'Last day'),
});

/** Query of the CSV export of activities. */
export const ActivitiesCsvQuery = ActivitiesQuery.omit({ page: true, limit: true, chart: true }).extend({
  lang: z
    .string()
    .max(INPUT_LIMITS.languageCode)
    .optional()
    .meta({ description: 'Language of `message`: `it` for Italian; any other value means English' }),
});
