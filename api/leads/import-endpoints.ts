/** Endpoints that import leads from a CSV file. The call only stores the file; a job imports the leads. */
import { z } from 'zod';
import * as imports from '#shared/domain/leads/import/imports.ts';
import { LeadImportView } from '#shared/models/lead-import.ts';
import { LeadImportFaultView } from '#shared/models/lead-import-fault.ts';
import { flag, jsonText } from '#shared/wire/coercion.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/leads/imports';
const RECORD_PATH = `${BASE_PATH}/:import_id`;
const IMPORTS_PER_PAGE = 40;
/** The points that a file costs: checking and storing it takes about as long as this many calls. */
const IMPORT_POINTS = 15;

const ImportView = LeadImportView.extend({
  errors: z.array(LeadImportFaultView).meta({ description: 'The first rows that were skipped' }),
});

const ColumnMapping = jsonText(INPUT_LIMITS.csvMapping)
  .pipe(z.record(z.string(), z.string().nullable()))
  .optional()
  .meta({
    description: 'JSON `{"column": "field"}` for columns that are not named after a field; `null` ignores a column',
  });

const ImportQuery = z.object({
  dry_run: flag().optional().meta({ description: '`true`: check the file without storing leads' }),
  mapping: ColumnMapping,
});

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/leads/csv',
    aliases: [{ path: BASE_PATH }],
    ...agentsAndPrograms,
    summary:
      'Import leads from CSV, one per row. A row with the `lead_id` or email address of an existing lead updates that lead',
    query: ImportQuery,
    uploads: { type: 'text/csv', maxBytes: INPUT_LIMITS.leadsFileBytes },
    points: IMPORT_POINTS,
    reply: ImportView,
    errors: { 409: 'The project has too many unfinished imports' },
    handle: ({ project, query, upload, actor }) =>
      imports.start(project, upload as Upload, { ...query, createdBy: actor.id }),
  }),
  endpoint({
    method: 'get',
    path: BASE_PATH,
    ...agentsAndPrograms,
    summary: 'List the lead imports of the last month, newest first',
    query: pagingQuery(['createdAt'], IMPORTS_PER_PAGE),
    reply: z.array(LeadImportView),
    handle: ({ project, query }) =>
      imports.list(project, parsePage(query, { sortField: 'createdAt', limit: IMPORTS_PER_PAGE })),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    ...agentsAndPrograms,
    summary: 'Get the progress of an import and the first rows that it skipped',
    reply: ImportView,
    handle: ({ project, params }) => imports.find({ id_project: project, _id: params.import_id }),
  }),
  endpoint({
    method: 'get',
    path: `${RECORD_PATH}/errors`,
    ...agentsAndPrograms,
    summary: 'Export the rows that an import skipped, with the reasons, as CSV; at most 10,000 rows',
    reply: z.string(),
    downloads: CSV_MEDIA_TYPE,
    handle: async ({ project, params }) => {
      const { _id } = await imports.find({ id_project: project, _id: params.import_id });
      const faults = imports.listFaults({ id_project: project, _id: String(_id) });
      return new Download(csv(['line', 'column', 'reason', 'value'], faults), 'errors.csv');
    },
  }),
];
