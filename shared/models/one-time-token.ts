import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** Hash of the token; the token itself is only in the email. */
    _id: { type: String, required: true },
    kind: { type: String, enum: ['verify', 'reset'], required: true },
    id_user: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ id_user: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** One-time tokens, sent by email, for verifying an email address or setting a new password. */
export const OneTimeToken = collection('account_keys', schema, 'instance');
