/** Who did what in a project (contract b 12). */
import { z } from 'zod';
import { ActivityView } from '#shared/models/activity.ts';
import { CSV } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { listOf, tableOf } from './lists.ts';
import { ActivitiesQuery, TableQuery } from './query.ts';

const ROOT = '/v3/:project_id/activities';

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'admin',
    summary: 'Who did what in the project, as far back as that is kept',
    query: ActivitiesQuery,
    reply: z.strictObject({
      perPage: z.number(),
      count: z.number(),
      activities: z.array(ActivityView.extend({ message: z.string().meta({ description: 'It as a sentence' }) })),
      chart: z.literal(true).optional(),
      limitWarning: z.string().optional(),
    }),
    handle: ({ project, query }) => listOf(project, query),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/csv`,
    role: 'admin',
    summary: 'The same as CSV, at most 100,000 rows',
    query: TableQuery,
    downloads: CSV,
    reply: z.string(),
    handle: async ({ project, query }) => new Download(await tableOf(project, query), 'activities.csv'),
  }),
];
