import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const WEEK = 7 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The record's id. */
    record: { type: String, required: true },
    /** The record as the API shows it. */
    shown: { type: Schema.Types.Mixed, required: true },
  },
  kept,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: WEEK });
schema.index({ record: 1 });

/** What a deletion, or a verb over several records, tells: written in its transaction, with `emits()`, for no single record is left to carry it. */
export const Outbox = collection('outbox', schema);
