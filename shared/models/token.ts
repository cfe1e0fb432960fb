import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    jti: { type: String, required: true },
    /** Id of the owner: an account, visitor, bot or subscription. */
    id_user: { type: String, required: true },
    /** Set for tokens of bots and subscriptions; the project's admins may list these tokens. */
    id_project: String,
    userAgent: String,
    ip: String,
    expiresAt: { type: Date, required: true },
    lastUsedAt: Date,
    revokedAt: Date,
  },
  schemaOptions,
);
schema.index({ jti: 1 }, { unique: true });
schema.index({ id_user: 1, createdAt: -1 });
schema.index({ id_project: 1, createdAt: -1 }, { partialFilterExpression: { id_project: { $exists: true } } });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Issued tokens, kept until they expire. The token itself is not stored. */
export const Token = collection('tokens', schema, 'instance');

/** An issued token on the wire. */
export const TokenView = view('Token', {
  _id: Id,
  jti: z.string(),
  id_user: z.string(),
  id_project: optionalField(z.string()).meta({ description: 'Only for tokens of bots and subscriptions' }),
  userAgent: optionalField(z.string()),
  ip: optionalField(z.string()),
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: optionalField(Time).meta({ description: 'Accurate to a few minutes' }),
  revokedAt: optionalField(Time),
});
