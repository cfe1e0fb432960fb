import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The statuses of an import. `done`: every row was read. `failed`: the import was aborted. */
export const LEAD_IMPORT_STATUSES = ['queued', 'running', 'done', 'failed'] as const;

const RETENTION_SECONDS = 30 * 86_400;
const counterField = { type: Number, default: 0 };

const column = new Schema({ column: { type: String, required: true }, field: String }, { _id: false, strict: 'throw' });
const errorSchema = new Schema(
  { code: { type: String, required: true }, message: { type: String, required: true } },
  { _id: false, strict: 'throw' },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: String,
    size: { type: Number, required: true },
    separator: { type: String, required: true },
    columns: { type: [column], required: true },
    dry_run: { type: Boolean, required: true },
    status: { type: String, enum: LEAD_IMPORT_STATUSES, default: 'queued' },
    /** The bytes and lines of the file processed so far; updated in the transaction that stores the rows. */
    position: counterField,
    line: counterField,
    rows: counterField,
    created: counterField,
    updated: counterField,
    unchanged: counterField,
    failed: counterField,
    /** Consecutive failed attempts to store the next rows. */
    failures: counterField,
    error: errorSchema,
    finishedAt: Date,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ status: 1 }, { partialFilterExpression: { status: { $in: ['queued', 'running'] } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** Imports of leads from CSV files. */
export const LeadImport = collection('lead_imports', schema);

/** An import on the wire. */
export const LeadImportView = view('LeadImport', {
  _id: Id,
  id_project: z.string(),
  name: optionalField(z.string()),
  size: z.number().meta({ description: 'Size of the file in bytes' }),
  position: z.number().meta({ description: 'Bytes of the file processed so far' }),
  separator: z.string(),
  columns: z.array(
    z.strictObject({
      column: z.string(),
      field: optionalField(z.string()).meta({ description: 'The field of the lead; absent for an ignored column' }),
    }),
  ),
  dry_run: z.boolean().meta({ description: '`true`: nothing is stored' }),
  status: z.enum(LEAD_IMPORT_STATUSES),
  rows: z.number().meta({ description: 'Rows read so far, excluding the header' }),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  failed: z.number().meta({ description: 'Rejected rows' }),
  error: optionalField(z.strictObject({ code: z.string(), message: z.string() })),
  finishedAt: optionalField(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
