import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id } from '../view.ts';

const Share = Schema.create({ id_group: { type: String, required: true }, percentage: Number }, { _id: false });

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    routing: { type: String, enum: ['assigned', 'pooled', null], default: 'pooled' },
    default: { type: Boolean, default: false },
    status: { type: Number, default: 1 },
    /** Who serves it: one group, or several; everybody without any. */
    id_group: String,
    groups: { type: [Share], default: undefined },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, default: 1 });

/** Where requests are routed (contract 2.3). */
export const Department = collection('departments', schema);

/** All that anybody may see of a department without credentials. */
export const PublicDepartmentView = z.strictObject({
  _id: Id,
  id: Id,
  id_project: z.string(),
  name: z.string(),
  routing: z.string().nullish().meta({ description: 'assigned or pooled' }),
  default: z.boolean(),
  status: z.number(),
});
