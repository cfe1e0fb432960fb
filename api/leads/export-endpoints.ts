/** The endpoint that exports leads as CSV. */
import { z } from 'zod';
import { readEach } from '#shared/database/raw-read.ts';
import { exportRows } from '#shared/domain/leads/csv-cells.ts';
import { LEAD_FIELDS, type StoredLead } from '#shared/domain/leads/leads.ts';
import type { LeadFilters } from '#shared/domain/leads/segment-filter.ts';
import * as segments from '#shared/domain/leads/segments.ts';
import { LEAD_STATUS, Lead } from '#shared/models/lead.ts';
import { flag } from '#shared/wire/coercion.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';
import { LeadsQuery } from './input.ts';
import { leadsFilter } from './leads-filter.ts';

const MAX_ROWS = 100_000;

const LEAD_COLUMNS = Object.keys(LEAD_FIELDS).filter((name) => !['attributes', '__v'].includes(name));

const ExportQuery = LeadsQuery.omit({ limit: true, cursor: true, status: true, count: true }).extend({
  attributes: flag().optional().meta({ description: '`true`: include the attributes as JSON' }),
});
type ParsedExportQuery = z.output<typeof ExportQuery>;

const loadRows = async (project: string, query: ParsedExportQuery): Promise<AsyncIterable<Record<string, unknown>>> => {
  const { sort, skip, limit } = parsePage(query, { sortField: 'createdAt', limit: MAX_ROWS });
  const segment = query.segment ? ((await segments.find(project, query.segment)) as LeadFilters) : undefined;
  const visibleStatuses = { $in: [LEAD_STATUS.temporary, LEAD_STATUS.normal] };
  const filter = { ...leadsFilter(project, query, segment), status: visibleStatuses };
  return exportRows(readEach(Lead, filter, { fields: LEAD_FIELDS, sort, skip, limit }) as AsyncIterable<StoredLead>);
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/leads/csv',
    role: 'agent',
    programs: 'all',
    summary: `Export the leads as CSV, at most ${MAX_ROWS.toLocaleString('en')} rows, newest first`,
    query: ExportQuery,
    reply: z.string(),
    downloads: CSV_MEDIA_TYPE,
    handle: async ({ project, query }) => {
      const columns = query.attributes ? [...LEAD_COLUMNS, 'attributes'] : LEAD_COLUMNS;
      return new Download(csv(columns, await loadRows(project, query)), 'leads.csv');
    },
  }),
];
