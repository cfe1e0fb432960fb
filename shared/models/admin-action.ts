import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 365 * 86_400;

const schema = Schema.create(
  {
    /** The administrator's email address or, without one, account id; on the command line, `cli user@host`. */
    by: { type: String, required: true },
    action: { type: String, required: true },
    /** What the action applied to, such as a queue. */
    target: String,
  },
  schemaOptions,
);
schema.index({ createdAt: -1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The audit log of what instance administrators do to the queues and the instance. Entries are kept for a year. */
export const AdminAction = collection('admin_actions', schema, 'instance');
