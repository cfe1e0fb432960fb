import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    /** The project, or `INSTANCE` for a global subscription. */
    id_project: { type: String, required: true },
    /** An event name that `isSubscribable` (`subscribable-events.ts`) accepts. */
    event: { type: String, required: true },
    /** The URL that is registered for the event. */
    target: { type: String, required: true },
    /** The key for the subscription's tokens and signatures. Returned only when it is created or replaced. */
    secret: { type: String, select: false, default: () => randomUUID() },
    /** The secret before the last rotation, and the time until which deliveries are also signed with it. */
    previous_secret: { type: String, select: false },
    previous_secret_expires_at: Date,
    /** Nothing is delivered to a disabled subscription. */
    enabled: { type: Boolean, default: true },
    /** Why and when the subscription was disabled. */
    disabled_reason: String,
    disabled_at: Date,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, event: 1, target: 1 }, { unique: true });
schema.index({ enabled: 1 }, { partialFilterExpression: { enabled: false } });

/** The subscriptions of projects, and the global subscriptions of instance administrators. */
export const Subscription = collection('subscriptions', schema);

/** A subscription on the wire, without its secret. */
export const SubscriptionView = view('Subscription', {
  _id: Id,
  id_project: z.string(),
  event: z.string(),
  target: z.string(),
  enabled: z.boolean(),
  disabled_reason: optionalField(z.string()),
  disabled_at: optionalField(Time),
  previous_secret_expires_at: optionalField(Time).meta({
    description: 'Until this time, deliveries are also signed with the previous secret',
  }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
