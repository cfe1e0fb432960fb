import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const WEEK = 7 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    import: { type: String, required: true },
    /** Its place in the file, from 0; all but the last one are of one size. */
    n: { type: Number, required: true },
    data: { type: Buffer, required: true },
  },
  kept,
);
schema.index({ id_project: 1, import: 1, n: 1 }, { unique: true });
schema.index({ createdAt: 1 }, { expireAfterSeconds: WEEK });

/** A piece of a file of leads, where every worker can read it; gone with the end of the import. */
export const LeadImportPart = collection('lead_import_parts', schema);
