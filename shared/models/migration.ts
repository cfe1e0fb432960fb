import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  { _id: { type: String, required: true }, holder: String, until: Date, done: { type: [String], default: [] } },
  kept,
);

/** One record: which migrations ran, and who runs them now. */
export const Migration = collection('migrations', schema, 'instance');
