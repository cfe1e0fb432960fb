import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, default: 'internal' },
    url: String,
    /** The signing key of the bot's tokens. Returned when the bot is created, and to admins on request. */
    secret: { type: String, select: false, default: () => randomUUID() },
    trashed: { type: Boolean, default: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1 });

/** A bot of a project. */
export const Bot = collection('bots', schema);

/** A bot on the wire, without its secret. */
export const BotView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  type: z.string(),
  url: optionalField(z.string()),
  trashed: z.boolean(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
