import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    /** Messages up to this time are removed; later ones belong to a new conversation with the same `request_id`. */
    upTo: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, request_id: 1 });
schema.index({ upTo: 1 });

/**
 * Deleted conversations with more messages than one transaction can delete. The messages are hidden immediately and
 * deleted in batches.
 */
export const MessageRemoval = collection('message_removals', schema);
