import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 7 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The record's id. */
    record: { type: String, required: true },
    /** The last view of the record, as on the wire. */
    view: { type: Schema.Types.Mixed, required: true },
  },
  schemaOptions,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
schema.index({ record: 1 });

/**
 * Events that cannot be stored in their record: deletions, and operations on several records. An entry is written in
 * the transaction of the operation, with `emits()`.
 */
export const Outbox = collection('outbox', schema);
