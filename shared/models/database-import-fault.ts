import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The id of the `DatabaseImport`, and the id of the rejected record. */
    _id: { type: String, required: true },
    import: { type: String, required: true },
    record: { type: String, required: true },
    reason: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ import: 1, _id: 1 });

/** Records from other databases that could not be imported, with the reason. */
export const DatabaseImportFault = collection('database_import_faults', schema, 'instance');
