import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    jti: { type: String, required: true },
    /** Whose it is: a person's or visitor's id, a bot's or subscription's. */
    id_user: { type: String, required: true },
    /** Of bots and subscriptions: whose admins see it. */
    id_project: String,
    userAgent: String,
    ip: String,
    expiresAt: { type: Date, required: true },
    lastUsedAt: Date,
    revokedAt: Date,
  },
  kept,
);
schema.index({ jti: 1 }, { unique: true });
schema.index({ id_user: 1, createdAt: -1 });
schema.index({ id_project: 1, createdAt: -1 }, { partialFilterExpression: { id_project: { $exists: true } } });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** The tokens that were issued, as long as they would last; the token itself is not kept (contract a 2.5). */
export const Token = collection('tokens', schema, 'instance');

/** A token in the history of its owner (decision 12). */
export const TokenView = z.strictObject({
  _id: Id,
  jti: z.string(),
  id_user: z.string(),
  id_project: maybe(z.string()).meta({ description: 'Of bots and subscriptions' }),
  userAgent: maybe(z.string()),
  ip: maybe(z.string()),
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: maybe(Time).meta({ description: 'To some minutes' }),
  revokedAt: maybe(Time),
});
