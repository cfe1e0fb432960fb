import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    _id: { type: String, required: true },
    holder: String,
    leaseUntil: Date,
    done: { type: [String], default: [] },
    /** The digest of the indexes that exist, and how many there were; absent while a process changes them. */
    indexDigest: String,
    indexCount: Number,
  },
  schemaOptions,
);

/** Migrations that have run, and the leases of processes that run migrations or other start-up steps. */
export const Migration = collection('migrations', schema, 'instance');
