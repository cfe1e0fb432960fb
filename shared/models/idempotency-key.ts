import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 86_400;

const schema = Schema.create(
  {
    /** Hash of actor, URL and key. */
    _id: { type: String, required: true },
    /** Hash of the request body: a key cannot be reused with a different body. */
    bodyHash: { type: String, required: true },
    /** The end of the lease of the call that holds the key. */
    leaseUntil: { type: Date, required: true },
    status: Number,
    reply: String,
  },
  schemaOptions,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** Replies to POST requests with an `Idempotency-Key`, kept for a day. */
export const IdempotencyKey = collection('idempotency_keys', schema, 'instance');
