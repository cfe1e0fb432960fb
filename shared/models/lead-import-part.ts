import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 7 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    import: { type: String, required: true },
    /** Number of the part in the file, counted from 0. All parts but the last have the same size. */
    index: { type: Number, required: true },
    data: { type: Buffer, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, import: 1, index: 1 }, { unique: true });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** Parts of uploaded lead files, readable by every worker; deleted when the import ends. */
export const LeadImportPart = collection('lead_import_parts', schema);
