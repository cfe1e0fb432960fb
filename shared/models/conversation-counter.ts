import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    status: { type: Number, required: true },
    hasBot: { type: Boolean, required: true },
    preflight: { type: Boolean, required: true },
    draft: { type: Boolean, required: true },
    department: String,
    /** What the row adds to the count of conversations with these values; may be negative. */
    count: { type: Number, required: true },
    /** True for a row that was written with a conversation and has not been merged into a sum. */
    uncompacted: Boolean,
  },
  { versionKey: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1 });
schema.index({ uncompacted: 1, id_project: 1 }, { partialFilterExpression: { uncompacted: true } });

/**
 * Counters of a project's conversations by status and the other fields above. A count is the sum over the rows with the
 * same values. Opening or changing a conversation only inserts rows, so that concurrent writers do not conflict.
 */
export const ConversationCounter = collection('request_counters', schema);
