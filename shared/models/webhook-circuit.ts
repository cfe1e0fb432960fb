import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The subscription. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    /** Failed attempts since the receiver last answered. */
    failures: { type: Number, required: true },
    /** When the first attempt since the last success failed or was rejected. */
    failingSince: Date,
    /** Set while the circuit is open: when one delivery may be tried. */
    retryAt: Date,
  },
  schemaOptions,
);

/** Whether the receivers of subscriptions answer: one record per subscription that was called. */
export const WebhookCircuit = collection('webhook_circuits', schema);
