import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

/** How far an import has come: every row was read, or none could be, at `done` and `failed`. */
export const IMPORT = ['queued', 'running', 'done', 'failed'] as const;

const MONTH = 30 * 86_400;
const count = { type: Number, default: 0 };

const column = new Schema({ column: { type: String, required: true }, field: String }, { _id: false, strict: 'throw' });
const failure = new Schema(
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
    status: { type: String, enum: IMPORT, default: 'queued' },
    /** Bytes and lines of the file that are done: moved on in the transaction that stores what they say. */
    position: count,
    line: count,
    rows: count,
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    /** Steps that threw since the last one that was stored. */
    failures: count,
    error: failure,
    finishedAt: Date,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ status: 1 }, { partialFilterExpression: { status: { $in: ['queued', 'running'] } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: MONTH });

/** A file of leads on its way into a project (contract 5). */
export const LeadImport = collection('lead_imports', schema);

/** An import on the wire. */
export const LeadImportView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: maybe(z.string()),
  size: z.number().meta({ description: 'Bytes of the file' }),
  position: z.number().meta({ description: 'Bytes of it that are done' }),
  separator: z.string(),
  columns: z.array(
    z.strictObject({
      column: z.string(),
      field: maybe(z.string()).meta({ description: 'What it says of a lead; absent where it says nothing' }),
    }),
  ),
  dry_run: z.boolean().meta({ description: '`true`: nothing is stored' }),
  status: z.enum(IMPORT),
  rows: z.number().meta({ description: 'Rows read so far, but the header' }),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  failed: z.number().meta({ description: 'Rows that were left out' }),
  error: maybe(z.strictObject({ code: z.string(), message: z.string() })),
  finishedAt: maybe(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
