import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import { isId } from '#shared/view.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { moment } from '../requests/query.ts';

/** Activities on one page: by default, at most, and at most for a chart (contract b 12.1). */
export const PER_PAGE = { usual: 40, most: 100, chart: 1000 };

/** Query of the list of activities. */
export const ActivitiesQuery = paged(['createdAt'], PER_PAGE.usual, {
  limit: wholeNumber(1, 1_000_000).meta({ description: 'Default 40, at most 100; for a chart at most 1000' }),
  chart: flag().optional().meta({ description: '`true`: more on one page' }),
  agent_id: z
    .string()
    .refine(isId, 'must be 24 hexadecimal digits')
    .optional()
    .meta({ description: 'Only those in which this user has a part' }),
  activities: z
    .string()
    .max(LIMITS.conversationText)
    .transform((text) => text.split(',').filter(Boolean))
    .optional()
    .meta({ description: 'Verbs, by commas' }),
  start_date: moment('day', 'First day'),
  end_date: moment('day', 'Last day'),
});

/** Query of the table of activities. */
export const TableQuery = ActivitiesQuery.omit({ page: true, limit: true, chart: true }).extend({
  lang: z.string().max(LIMITS.language).optional().meta({ description: 'Language of `message`: `it`, else English' }),
});
