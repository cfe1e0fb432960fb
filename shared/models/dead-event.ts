import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const MONTH = 30 * 86_400;

const schema = Schema.create(
  {
    /** Says what failed with which event, so that a second failure of the same is the same record. */
    _id: { type: String, required: true },
    /** Who gave it up: `relay`, or the listener. */
    by: { type: String, required: true },
    code: { type: String, required: true },
    message: { type: String, required: true },
    /** Place in the order of commit. */
    position: { type: String, required: true },
    /** As far as they are known. */
    id_project: String,
    event: String,
    record: String,
    /** What stood in the record, cut off where it is long. */
    text: String,
  },
  kept,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: MONTH });

/** What could not be told or acted on: set aside so that all after it goes on, for an operator to look at. */
export const DeadEvent = collection('dead_events', schema, 'instance');
