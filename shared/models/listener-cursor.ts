import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The listener's name in the job registry. */
    _id: { type: String, required: true },
    /** Position in the changes log up to which every event has been handled or deferred; 0 at the start of the log. */
    cursor: { type: String, required: true },
  },
  schemaOptions,
);

/** The cursor of each listener in the changes log. */
export const ListenerCursor = collection('listeners', schema, 'instance');
