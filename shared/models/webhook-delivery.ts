import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The `webhook-id` header: derived from the event and the subscription, and thus the same in every attempt. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    subscription: { type: String, required: true },
    /** Host and port of the target. */
    receiver: { type: String, required: true },
    /** Deliveries of a sequence are made in order. A sequence is a conversation or, if there is none, a record. */
    sequence: { type: String, required: true },
    /** Name, id and position of the event in the changes log. */
    event: { type: String, required: true },
    event_id: { type: String, required: true },
    position: { type: String, required: true },
    /** The payload of a test delivery. All other payloads are read from the changes log. */
    test_payload: Schema.Types.Mixed,
    /**
     * The time from which the delivery may be made. A delivery that waits for an earlier one has the time at which the
     * earlier one is due or stops holding it back. Absent after success and after the last attempt.
     */
    dueAt: Date,
    /** The number of attempts whose results are recorded. */
    attemptsMade: { type: Number, default: 0 },
    /**
     * The time until which the delivery is retried, even after `WEBHOOK_ATTEMPTS` attempts: `WEBHOOK_RETRY_SECONDS`
     * after the delivery was recorded or last replayed.
     */
    retryUntil: { type: Date, required: true },
    /** When the failed delivery stops holding back later deliveries of its sequence. */
    freesSequenceAt: Date,
    deliveredAt: Date,
    given_up: Boolean,
    /** Why the last attempt failed. */
    error: String,
  },
  schemaOptions,
);
schema.index(
  { id_project: 1, subscription: 1, sequence: 1, position: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
schema.index(
  { id_project: 1, receiver: 1, dueAt: 1, position: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
schema.index({ id_project: 1, subscription: 1, createdAt: 1 });
// The sweep reads only fields that this index contains.
schema.index({ dueAt: 1, id_project: 1, receiver: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.WEBHOOK_LOG_TTL_SECONDS });

/** Deliveries of events to subscriptions: one record for each event and each subscription to it. */
export const WebhookDelivery = collection('webhook_deliveries', schema);
