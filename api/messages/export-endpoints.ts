/** Endpoints that export messages as CSV. */
import { z } from 'zod';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import { MessageView } from '#shared/models/message.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';

const MESSAGE_COLUMNS = Object.keys(MessageView.shape) as (keyof typeof MessageView.shape)[];
const NESTED_COLUMNS = new Set<string>(['channel', 'attributes', 'metadata']);
const FLAT_COLUMNS = MESSAGE_COLUMNS.filter((name) => !NESTED_COLUMNS.has(name));

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/messages/csv',
    role: 'guest',
    programs: 'all',
    summary: 'Export the messages of a conversation as CSV. Visitors see no private messages',
    downloads: CSV_MEDIA_TYPE,
    reply: z.string(),
    handle: async ({ project: id_project, params: { request_id }, actor }) =>
      new Download(csv(MESSAGE_COLUMNS, messages.stream({ id_project, request_id }, actor)), 'messages.csv'),
  }),
  endpoint({
    method: 'get',
    path: '/v3/:project_id/messages/csv',
    role: 'owner',
    summary: 'Export all messages of a project as CSV, newest first',
    downloads: CSV_MEDIA_TYPE,
    reply: z.string(),
    handle: async ({ project }) => new Download(csv(FLAT_COLUMNS, messages.streamOfProject(project)), 'messages.csv'),
  }),
];
