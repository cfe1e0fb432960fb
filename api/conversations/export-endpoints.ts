/** The endpoint that exports conversations as CSV. */
import { z } from 'zod';
import { readEach } from '#shared/database/raw-read.ts';
import type { Actor, StoredConversation } from '#shared/domain/conversations/conversation.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';
import { CSV_COLUMNS, CSV_FIELDS, toCsvRow } from './csv-columns.ts';
import { visibilityFilter } from './visibility.ts';
import { listFilter } from './list-query.ts';
import { ConversationsQuery } from './query-input.ts';
import { eachMatch } from './search.ts';

const MAX_CSV_ROWS = 100_000;

const PAGING_FIELDS = {
  page: true,
  limit: true,
  cursor: true,
  count: true,
  no_count: true,
  no_populate: true,
} as const;
const ExportQuery = ConversationsQuery.omit(PAGING_FIELDS).extend({
  mine: z
    .string()
    .optional()
    .meta({ description: 'Any value: only the conversations that the caller would see as an agent' }),
});
type ParsedExportQuery = z.output<typeof ExportQuery>;

async function* csvRows(found: AsyncIterable<StoredConversation>) {
  let rowsLeft = MAX_CSV_ROWS;
  for await (const conversation of found) {
    if (!rowsLeft--) return;
    yield toCsvRow(conversation);
  }
}

const exportConversations = async (project: string, { mine, ...query }: ParsedExportQuery, actor: Actor) => {
  const scopeFilter = visibilityFilter(mine === undefined ? actor : { ...actor, role: 'agent' });
  const filter = await listFilter(project, query, scopeFilter);
  const { sort } = parsePage(query, { sortField: 'createdAt', limit: MAX_CSV_ROWS });
  const { full_text } = query;
  if (full_text) return csv(CSV_COLUMNS, csvRows(eachMatch(full_text, { filter, isVisitor: false })));
  const found = readEach(Conversation, filter, { fields: CSV_FIELDS, sort, limit: MAX_CSV_ROWS });
  return csv(CSV_COLUMNS, csvRows(found as unknown as AsyncIterable<StoredConversation>));
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/csv',
    role: 'agent',
    programs: 'all',
    summary:
      'Export the matching conversations as CSV, at most 100,000 rows. Agents export only conversations that they can list',
    query: ExportQuery,
    downloads: CSV_MEDIA_TYPE,
    reply: z.string(),
    handle: async ({ project, query, actor }) =>
      new Download(await exportConversations(project, query, actor), 'requests.csv'),
  }),
];
