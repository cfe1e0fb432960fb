import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    _id: { type: String, required: true },
    /** Present while the API refuses calls: `{ since, message, retryAfterSeconds }`. */
    maintenance: Schema.Types.Mixed,
    /** The log level of all processes. If absent, each process uses its `LOG_LEVEL` setting. */
    logLevel: String,
  },
  schemaOptions,
);

/**
 * One record: maintenance mode and the log level that administrators have set. All processes read it regularly
 * (process/controls.ts).
 */
export const InstanceControls = collection('instance_controls', schema, 'instance');
