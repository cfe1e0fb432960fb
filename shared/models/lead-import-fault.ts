import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { maybe } from '../view.ts';

const MONTH = 30 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    import: { type: String, required: true },
    line: { type: Number, required: true },
    column: String,
    reason: { type: String, required: true },
    value: String,
  },
  kept,
);
schema.index({ id_project: 1, import: 1, line: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: MONTH });

/** Why a row of a file of leads was left out. */
export const LeadImportFault = collection('lead_import_faults', schema);

/** A broken row on the wire. */
export const LeadImportFaultView = z.strictObject({
  line: z.number().meta({ description: 'The line of the file that the row begins in, from 1' }),
  column: maybe(z.string()).meta({ description: 'Absent where the row as a whole is broken' }),
  reason: z.string(),
  value: maybe(z.string()).meta({ description: 'The beginning of what stands there' }),
});
