import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 7 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The record's id. */
    record: { type: String, required: true },
    /** The record as the event's payload contains it. */
    view: { type: Schema.Types.Mixed, required: true },
  },
  schemaOptions,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
schema.index({ record: 1 });

/**
 * Events that cannot be stored in the record that they concern: those of deletions, and of operations on several
 * records. An entry is written in the operation's transaction; the write option `emits()` names the entry's events.
 */
export const Outbox = collection('outbox', schema);
