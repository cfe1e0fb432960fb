import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    /** Its name in the menu of jobs. */
    _id: { type: String, required: true },
    /** Position in the changes log up to which it has heard everything; 0 before the first. */
    cursor: { type: String, required: true },
  },
  kept,
);

/** How far each listener has come in the changes log. */
export const Listener = collection('listeners', schema, 'instance');
