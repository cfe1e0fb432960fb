import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, Time, view } from '../wire/view.ts';

/** The statuses of a property. */
export const PROPERTY_STATUS = { active: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    label: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, default: 'text' },
    status: { type: Number, default: PROPERTY_STATUS.active },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });

/** Custom properties of a project's leads; the values are in the leads' `properties`. */
export const Property = collection('properties', schema);

/** A property on the wire. */
export const PropertyView = view('Property', {
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
