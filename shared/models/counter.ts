import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The name of the number sequence. */
    name: { type: String, required: true },
    /** The last number issued. */
    value: { type: Number, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, name: 1 }, { unique: true });

/** Number sequences of a project, such as its ticket numbers. */
export const Counter = collection('counters', schema);
