import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The `webhook-id`, derived from the event and the subscription, so that every attempt has the same id. */
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
     * The time from which a worker may take the delivery: the time of the next attempt or, during an attempt, the end
     * of its lease. Absent after success and after the last attempt.
     */
    dueAt: Date,
    attemptsMade: { type: Number, default: 0 },
    /** The time until which the delivery is retried: `WEBHOOK_RETRY_SECONDS` after the event or its last replay. */
    retryUntil: { type: Date, required: true },
    /** Id of the running attempt, and its slots of the receiver and of the project. Absent between attempts. */
    holder: String,
    receiver_slot: Number,
    project_slot: Number,
    /** When the delivery began to wait for a slot, and the number of slots of its receiver. */
    waitingSince: Date,
    slot_limit: Number,
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
schema.index({ id_project: 1, subscription: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
schema.index({ id_project: 1, subscription: 1, createdAt: 1 });
schema.index({ id_project: 1, waitingSince: 1 }, { partialFilterExpression: { waitingSince: { $exists: true } } });
schema.index({ dueAt: 1 }, { sparse: true });
schema.index(
  { id_project: 1, receiver: 1, receiver_slot: 1 },
  { unique: true, partialFilterExpression: { receiver_slot: { $exists: true } } },
);
schema.index(
  { id_project: 1, project_slot: 1 },
  { unique: true, partialFilterExpression: { project_slot: { $exists: true } } },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.WEBHOOK_LOG_TTL_SECONDS });

/** Deliveries of events to subscriptions: one record for each event of a subscription. */
export const WebhookDelivery = collection('webhook_deliveries', schema);
