/** Leads from a file: it is kept and answered at once, and read by a job. */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import * as imports from '#shared/domain/leads/imports.ts';
import { LeadImportView } from '#shared/models/lead-import.ts';
import { LeadImportFaultView } from '#shared/models/lead-import-fault.ts';
import { csv } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { paged, pageOf } from '../http/paging.ts';
import type { Upload } from '../http/upload.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/leads/imports';
const ONE = `${ROOT}/:import_id`;
const LIMIT = 40;
const forTeam = { role: 'agent', bots: true } as const;

const ImportView = LeadImportView.extend({
  errors: z.array(LeadImportFaultView).meta({ description: 'The first rows that were left out' }),
});

const Mapping = z
  .string()
  .max(LIMITS.mapping)
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.string().nullable()))
  .optional()
  .meta({ description: '`{"column": "field"}` as JSON, for columns that have other names; `null`: it says nothing' });

const ImportQuery = z.object({
  dry_run: flag().optional().meta({ description: '`true`: the file is read, and nothing is stored' }),
  mapping: Mapping,
});

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/leads/csv',
    aliases: [{ path: ROOT }],
    ...forTeam,
    summary:
      'Take in leads from CSV, one a row: by `lead_id`, else by e-mail, they are changed where they are there already',
    query: ImportQuery,
    uploads: { type: 'text/csv', most: LIMITS.leadsFile },
    reply: ImportView,
    errors: { 409: 'Too many imports of the project are not finished yet' },
    handle: ({ project, query, upload, actor }) =>
      imports.begin(project, upload as Upload, { ...query, createdBy: actor.id }),
  }),
  endpoint({
    method: 'get',
    path: ROOT,
    ...forTeam,
    summary: 'The imports of leads of the last month, the latest first',
    query: paged(['createdAt'], LIMIT),
    reply: z.array(LeadImportView),
    handle: ({ project, query }) => imports.list(project, pageOf(query, { sortField: 'createdAt', limit: LIMIT })),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    ...forTeam,
    summary: 'How far an import is, and the first rows that it had to leave out',
    reply: ImportView,
    handle: ({ project, params }) => imports.find({ id_project: project, _id: params.import_id }),
  }),
  endpoint({
    method: 'get',
    path: `${ONE}/errors`,
    ...forTeam,
    summary: 'All rows that an import had to leave out, up to 10,000, as CSV',
    reply: z.string(),
    downloads: 'text/csv; charset=utf-8',
    handle: async ({ project, params }) => {
      const { _id } = await imports.find({ id_project: project, _id: params.import_id });
      const faults = imports.faults({ id_project: project, _id: String(_id) });
      return new Download(csv(['line', 'column', 'reason', 'value'], faults), 'errors.csv');
    },
  }),
];
