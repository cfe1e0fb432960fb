import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    /** Hash of the key; the key itself is in the mail and nowhere else. */
    _id: { type: String, required: true },
    kind: { type: String, enum: ['verify', 'reset'], required: true },
    id_user: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  kept,
);
schema.index({ id_user: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** What the owner of an e-mail address proves it by, once (contract a 3.3, 3.4). */
export const AccountKey = collection('account_keys', schema, 'instance');
