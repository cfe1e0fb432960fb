import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { optionalField, view } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    import: { type: String, required: true },
    line: { type: Number, required: true },
    column: String,
    reason: { type: String, required: true },
    value: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, import: 1, line: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** Rejected rows of lead imports. */
export const LeadImportFault = collection('lead_import_faults', schema);

/** A rejected row on the wire. */
export const LeadImportFaultView = view('LeadImportFault', {
  line: z.number().meta({ description: 'The line of the file on which the row begins, counted from 1' }),
  column: optionalField(z.string()).meta({ description: 'Absent if the whole row is invalid' }),
  reason: z.string(),
  value: optionalField(z.string()).meta({ description: 'The beginning of the rejected value' }),
});
