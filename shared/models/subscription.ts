import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, Time } from '../view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** A name of the menu of events. */
    event: { type: String, required: true },
    /** Where it is told: a URL. */
    target: { type: String, required: true },
    /** The key of this subscription's tokens and signatures; shown when it is made, and never again. */
    secret: { type: String, select: false, default: () => randomUUID() },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, event: 1, target: 1 }, { unique: true });

/** A project's wish to be told of an event (contract d B.5). */
export const Subscription = collection('subscriptions', schema);

/** A subscription as the project's admins see it; never with its secret. */
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
