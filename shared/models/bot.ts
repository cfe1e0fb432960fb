import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, default: 'internal' },
    url: String,
    /** The key of this bot's tokens; shown when it is made, and to admins who ask for it. */
    secret: { type: String, select: false, default: () => randomUUID() },
    trashed: { type: Boolean, default: false },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, createdAt: -1 });

/** Somebody who answers and is a program (contract c 6). */
export const Bot = collection('bots', schema);

/** A bot as the project's people see it; never with its secret. */
export const BotView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  type: z.string(),
  url: maybe(z.string()),
  trashed: z.boolean(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
