import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    /** Its messages up to this moment are removed; later ones are of a new conversation of that `request_id`. */
    upTo: { type: Date, required: true },
  },
  kept,
);
schema.index({ id_project: 1, request_id: 1 });
schema.index({ upTo: 1 });

/** A conversation that was removed with more messages than one transaction deletes: they are hidden, and deleted in batches. */
export const MessageRemoval = collection('message_removals', schema);
