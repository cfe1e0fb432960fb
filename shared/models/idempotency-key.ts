import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const DAY = 86_400;

const schema = Schema.create(
  {
    /** Hash of caller, route and key. */
    _id: { type: String, required: true },
    /** Hash of the body, so that one key never stands for two requests. */
    request: { type: String, required: true },
    /** When whoever holds the key must have answered. */
    lease: { type: Date, required: true },
    status: Number,
    reply: String,
  },
  kept,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: DAY });

/** The answer a POST gave under its `Idempotency-Key`, kept for a day. */
export const IdempotencyKey = collection('idempotency_keys', schema, 'instance');
