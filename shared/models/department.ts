import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    routing: { type: String, enum: ['assigned', 'pooled', null], default: 'pooled' },
    default: { type: Boolean, default: false },
    status: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, default: 1 });

/** Where requests are routed (contract 2.3). */
export const Department = collection('departments', schema);
