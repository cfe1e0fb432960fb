/** Messages as tables (contract b 3.6, 3.7). */
import { z } from 'zod';
import * as messages from '#shared/domain/conversations/messages.ts';
import { MessageView } from '#shared/models/message.ts';
import { CSV, csv } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';

const COLUMNS = Object.keys(MessageView.shape) as (keyof typeof MessageView.shape)[];
const NESTED = new Set<string>(['channel', 'attributes', 'metadata']);
const PLAIN = COLUMNS.filter((name) => !NESTED.has(name));

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/messages/csv',
    role: 'guest',
    bots: true,
    summary: 'The messages of a conversation as CSV, as far as the caller may see them',
    downloads: CSV,
    reply: z.string(),
    handle: async ({ project: id_project, params: { request_id }, actor }) =>
      new Download(csv(COLUMNS, messages.each({ id_project, request_id }, actor)), 'messages.csv'),
  }),
  endpoint({
    method: 'get',
    path: '/v3/:project_id/messages/csv',
    role: 'owner',
    summary: 'All messages of the project as CSV, the newest first',
    downloads: CSV,
    reply: z.string(),
    handle: async ({ project }) => new Download(csv(PLAIN, messages.eachOf(project)), 'messages.csv'),
  }),
];
