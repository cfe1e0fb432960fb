import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** What is counted. */
    name: { type: String, required: true },
    /** The last number given. */
    value: { type: Number, required: true },
  },
  kept,
);
schema.index({ id_project: 1, name: 1 }, { unique: true });

/** Numbers that a project gives out in their order, such as those of its tickets. */
export const Counter = collection('counters', schema);
