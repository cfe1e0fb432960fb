import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    email: { type: String, required: true },
    password: { type: String, required: true },
    /** Raised with each new password: tokens name the one they were issued in, and end with it. */
    epoch: { type: Number, default: 0 },
    firstname: String,
    lastname: String,
    emailverified: { type: Boolean, default: false },
    status: { type: Number, default: 100 },
    attributes: Schema.Types.Mixed,
    description: String,
    public_email: String,
    public_website: String,
    phone: String,
  },
  kept,
);
schema.index({ email: 1 }, { unique: true });
schema.index({ phone: 1 }, { unique: true, partialFilterExpression: { phone: { $exists: true } } });

/** A person with an account; visitors have none (contract a 5.1). `password` never leaves the process. */
export const User = collection('users', schema, 'instance');

/** What sign-in tells of the account. */
export const SignedInUserView = z.strictObject({
  _id: Id,
  email: z.string(),
  firstname: z.string().optional(),
  lastname: z.string().optional(),
  emailverified: z.boolean(),
});

/** An account as its owner sees it. */
export const UserView = SignedInUserView.extend({
  status: z.number().meta({ description: '100 in use, 0 deleted' }),
  attributes: maybe(z.record(z.string(), z.unknown())),
  description: maybe(z.string()),
  public_email: maybe(z.string()),
  public_website: maybe(z.string()),
  phone: maybe(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** What an account tells anybody (contract a 5.2). */
export const PublicUserView = z.strictObject({
  _id: Id,
  firstname: maybe(z.string()),
  lastname: maybe(z.string()),
  public_website: maybe(z.string()),
  public_email: maybe(z.string()),
  description: maybe(z.string()),
});
