import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const counterField = { type: Number, default: 0 };

const schema = Schema.create(
  {
    /** A hash of the address of the source database, and the name of the collection in this system's database. */
    _id: { type: String, required: true },
    /** Hosts and name of the source database, without credentials. */
    source: { type: String, required: true },
    /** The name of the collection in the source database. */
    collection_name: { type: String, required: true },
    /** The `_id` of the last record that was read; absent before the first one. */
    after: Schema.Types.Mixed,
    /** Records read so far, and how many of them were imported, existed already, had expired, or were rejected. */
    read: counterField,
    imported: counterField,
    existing: counterField,
    expired: counterField,
    rejected: counterField,
    /** The number of records with a field that is not imported, by field. */
    dropped_fields: { type: Schema.Types.Mixed, default: () => ({}) },
    /** The number of records with a value that was replaced, by reason. */
    adjusted: { type: Schema.Types.Mixed, default: () => ({}) },
  },
  schemaOptions,
);
schema.index({ source: 1 });

/** The progress of imports from other databases: one record for each source and collection. */
export const DatabaseImport = collection('database_imports', schema, 'instance');
