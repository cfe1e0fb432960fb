import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const SECONDS_KEPT = 86_400;

const schema = Schema.create(
  {
    /** The project, and the host and port of the target. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    receiver: { type: String, required: true },
    /** The id of the lease, and the time at which it ends. */
    holder: String,
    leaseEnd: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ leaseEnd: 1 }, { expireAfterSeconds: SECONDS_KEPT });

/** The leases of receivers: the worker with the lease of a receiver makes all deliveries of the project to it. */
export const WebhookReceiver = collection('webhook_receivers', schema);
