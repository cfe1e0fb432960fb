import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The subscription. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    /**
     * Failed attempts since the receiver last accepted or rejected an event. A rejection is a status 4xx other than 408
     * and 429; domain/webhooks/circuit.ts lists the failures.
     */
    failures: { type: Number, required: true },
    /** The time of the first failed or rejected attempt since the last success. */
    failingSince: Date,
    /** The time at which the next probe is due; set only while the circuit is open. */
    retryAt: Date,
  },
  schemaOptions,
);

/** The circuit breakers of subscriptions: one record for each subscription to which an event has been posted. */
export const WebhookCircuit = collection('webhook_circuits', schema);
