/** Leads as a file (contract b 5.3). */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import { FIELDS, type StoredLead } from '#shared/domain/conversations/leads.ts';
import type { Filters } from '#shared/domain/conversations/segment-filter.ts';
import * as segments from '#shared/domain/conversations/segments.ts';
import { rowsOf } from '#shared/domain/leads/cells.ts';
import { LEAD, Lead } from '#shared/models/lead.ts';
import { readEach } from '#shared/read.ts';
import { csv } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import { leadsFilter } from './filter.ts';
import { LeadsQuery } from './input.ts';

const MOST = 100_000;

const COLUMNS = Object.keys(FIELDS).filter((name) => !['attributes', '__v'].includes(name));

const ExportQuery = LeadsQuery.omit({ limit: true, cursor: true, status: true, count: true }).extend({
  attributes: flag().optional().meta({ description: '`true`: with the attributes too, as JSON' }),
});
type Asked = z.output<typeof ExportQuery>;

const rows = async (project: string, query: Asked): Promise<AsyncIterable<Record<string, unknown>>> => {
  const { sort, skip, limit } = pageOf(query, { sortField: 'createdAt', limit: MOST });
  const segment = query.segment ? ((await segments.find(project, query.segment)) as Filters) : undefined;
  const kept = { $in: [LEAD.temporary, LEAD.normal] };
  const filter = { ...leadsFilter(project, query, segment), status: kept };
  return rowsOf(readEach(Lead, filter, { fields: FIELDS, sort, skip, limit }) as AsyncIterable<StoredLead>);
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/leads/csv',
    role: 'agent',
    bots: true,
    summary: `The leads as CSV, up to ${MOST}, the latest first`,
    query: ExportQuery,
    reply: z.string(),
    downloads: 'text/csv; charset=utf-8',
    handle: async ({ project, query }) => {
      const columns = query.attributes ? [...COLUMNS, 'attributes'] : COLUMNS;
      return new Download(csv(columns, await rows(project, query)), 'leads.csv');
    },
  }),
];
