import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, Time } from '../view.ts';

/** The status of a property: in use, or deleted (contract b 5.10). */
export const PROPERTY = { active: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    label: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, default: 'text' },
    status: { type: Number, default: PROPERTY.active },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });

/** What a project wants to know of its leads beyond what every lead has; the values stand in the leads' `properties`. */
export const Property = collection('properties', schema);

/** A property on the wire. */
export const PropertyView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  label: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
