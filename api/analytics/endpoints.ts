/**
 * Endpoints for analytics. Figures are read from rollups, so the response time does not grow with the number of
 * records.
 */
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import conversationFigures from './conversation-figures.ts';
import { Mean } from './elements.ts';
import groupFigures from './group-figures.ts';
import messageFigures from './message-figures.ts';
import { readCurrentWaiting } from './read-figures.ts';
import tagFigures from './tag-figures.ts';
import timeFigures from './time-figures.ts';
import visitorFigures from './visitor-figures.ts';

export default [
  ...conversationFigures,
  ...groupFigures,
  ...timeFigures,
  ...messageFigures,
  ...visitorFigures,
  ...tagFigures,
  endpoint({
    method: 'get',
    path: '/v3/:project_id/publicanalytics/waiting/current',
    role: 'none',
    summary: 'Get the mean waiting time of the last four hours',
    reply: z.array(Mean('waiting_time_avg')),
    handle: ({ project }) => readCurrentWaiting(project),
  }),
];
