import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The status of an account that can sign in. */
export const ACCOUNT_ACTIVE = 100;

const schema = Schema.create(
  {
    email: { type: String, required: true },
    password: { type: String, required: true },
    /**
     * Incremented with each new password. A token contains the epoch in which it was issued, and is valid only in that
     * epoch.
     */
    epoch: { type: Number, default: 0 },
    firstname: String,
    lastname: String,
    emailverified: { type: Boolean, default: false },
    status: { type: Number, default: ACCOUNT_ACTIVE },
    attributes: Schema.Types.Mixed,
    description: String,
    public_email: String,
    public_website: String,
    phone: String,
  },
  schemaOptions,
);
schema.index({ email: 1 }, { unique: true });
schema.index({ phone: 1 }, { unique: true, partialFilterExpression: { phone: { $exists: true } } });

/** Accounts of people; visitors have none. `password` is the hash and is never returned. */
export const User = collection('users', schema, 'instance');

/** The account in the reply to a sign-in. */
export const SignedInUserView = view('SignedInUser', {
  _id: Id,
  email: z.string(),
  firstname: z.string().optional(),
  lastname: z.string().optional(),
  emailverified: z.boolean(),
});

/** An account as its owner sees it. */
export const UserView = SignedInUserView.extend({
  status: z.number().meta({ description: '100: active, 0: deleted' }),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  description: optionalField(z.string()),
  public_email: optionalField(z.string()),
  public_website: optionalField(z.string()),
  phone: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
}).meta({ id: 'User' });

/** A rejected sign-up or sign-in. */
export const AccountFailureView = view('AccountFailure', {
  email: z.string().meta({ description: 'The address in the request' }),
  code: z.string(),
  error: z.string(),
});

/** The public view of an account. */
export const PublicUserView = view('PublicUser', {
  _id: Id,
  firstname: optionalField(z.string()),
  lastname: optionalField(z.string()),
  public_website: optionalField(z.string()),
  public_email: optionalField(z.string()),
  description: optionalField(z.string()),
});
