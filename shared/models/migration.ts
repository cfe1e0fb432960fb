import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  { _id: { type: String, required: true }, holder: String, leaseUntil: Date, done: { type: [String], default: [] } },
  schemaOptions,
);

/** Migrations that have run, and the leases of processes that run migrations or other start-up steps. */
export const Migration = collection('migrations', schema, 'instance');
