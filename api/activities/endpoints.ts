/** Endpoints for the activities of a project: who did what, and when. */
import { z } from 'zod';
import { ActivityView } from '#shared/models/activity.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { CSV_MEDIA_TYPE } from '../http/response/csv.ts';
import { exportActivities, listActivities } from './list-activities.ts';
import { ActivitiesCsvQuery, ActivitiesQuery } from './query-input.ts';

const BASE_PATH = '/v3/:project_id/activities';

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'admin',
    summary: 'List the activities of a project. They are kept for `ACTIVITY_TTL_SECONDS`',
    query: ActivitiesQuery,
    reply: z.strictObject({
      perPage: z.number(),
      count: z.number(),
      activities: z.array(
        ActivityView.extend({ message: z.string().meta({ description: 'The activity as a sentence' }) }),
      ),
      chart: z.literal(true).optional(),
      limitWarning: z.string().optional(),
    }),
    handle: ({ project, query }) => listActivities(project, query),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/csv`,
    role: 'admin',
    summary: 'Export the activities of a project as CSV, at most 100,000 rows',
    query: ActivitiesCsvQuery,
    downloads: CSV_MEDIA_TYPE,
    reply: z.string(),
    handle: async ({ project, query }) => new Download(await exportActivities(project, query), 'activities.csv'),
  }),
];
