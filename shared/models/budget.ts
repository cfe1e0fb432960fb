import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** What is spent. */
    name: { type: String, required: true },
    /** The beginning of the period that it is spent in. */
    period: { type: Date, required: true },
    spent: { type: Number, default: 0 },
    /** The end of the period: nobody asks for the record from then on. */
    expires: { type: Date, required: true },
  },
  kept,
);
schema.index({ id_project: 1, name: 1, period: 1 }, { unique: true });
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** What a project has spent of something that is limited per hour or day. */
export const Budget = collection('budgets', schema);
