import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    attributes: Schema.Types.Mixed,
    /** The membership of whoever fired it; a bot has none. */
    project_user: String,
    /** Known clients read it spelt so (contract b 11.1). */
    status: { type: String, default: 'stardard' },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, project_user: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.EVENT_TTL });

/** A custom event: fired by a client, kept for a while (contract 2.12, decision 22). */
export const Event = collection('events', schema);

/** A custom event on the wire. */
export const EventView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  attributes: maybe(z.record(z.string(), z.unknown())),
  project_user: maybe(z.string()),
  status: z.string().meta({ description: 'Always `stardard`' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

const Person = z.strictObject({
  _id: z.string(),
  email: maybe(z.string()),
  firstname: maybe(z.string()),
  lastname: maybe(z.string()),
});

/** What is told of a custom event: with who fired it (contract d B.4). */
export const FiredEventView = EventView.extend({
  id: Id,
  project_user: maybe(
    z.strictObject({
      _id: Id,
      id_project: z.string(),
      role: z.string(),
      id_user: maybe(Person),
      uuid_user: maybe(z.string()),
    }),
  ),
  user: Person,
});
