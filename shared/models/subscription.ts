import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, Time } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** A name of the event registry. */
    event: { type: String, required: true },
    /** The URL that is registered for the event. */
    target: { type: String, required: true },
    /** The key of the subscription's tokens and signatures. Returned only when the subscription is created. */
    secret: { type: String, select: false, default: () => randomUUID() },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, event: 1, target: 1 }, { unique: true });

/** The subscriptions of a project. */
export const Subscription = collection('subscriptions', schema);

/** A subscription on the wire, without its secret. */
export const SubscriptionView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  event: z.string(),
  target: z.string(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
