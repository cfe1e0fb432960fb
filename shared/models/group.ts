import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    /** Account ids of the teammates. */
    members: { type: [String], default: [] },
    enabled: { type: Boolean, default: true },
    trashed: { type: Boolean, default: false },
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, trashed: 1, members: 1 });

/** Groups of teammates that serve departments. */
export const Group = collection('groups', schema);

/** A group on the wire. */
export const GroupView = view('Group', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  members: z.array(Id),
  enabled: z.boolean(),
  trashed: z.boolean(),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
