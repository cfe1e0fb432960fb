import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    /** Ids of the teammates' accounts. */
    members: { type: [String], default: [] },
    enabled: { type: Boolean, default: true },
    trashed: { type: Boolean, default: false },
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, trashed: 1, members: 1 });

/** Teammates who serve together (contract b 7). */
export const Group = collection('groups', schema);

/** A group on the wire. */
export const GroupView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  members: z.array(Id),
  enabled: z.boolean(),
  trashed: z.boolean(),
  attributes: maybe(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
