import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    _id: { type: String, required: true },
    holder: String,
    leaseUntil: Date,
    done: { type: [String], default: [] },
    /**
     * The digest of the index definitions that a process last applied, and the number of indexes afterwards; absent
     * while a process is changing indexes.
     */
    indexDigest: String,
    indexCount: Number,
  },
  schemaOptions,
);

/** Migrations that have run, and the leases of processes that run migrations or other start-up steps. */
export const Migration = collection('migrations', schema, 'instance');
