import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    content: { type: String, required: true },
    attemptIds: { type: [String], required: true },
    /** The end of the lease of the attempt that was working on the content. The chunks are removed afterwards. */
    notBefore: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ notBefore: 1 });
schema.index({ id_project: 1, content: 1 });

/**
 * Deleted contents whose chunks still have to be removed. A record is written in the transaction that deletes the
 * content, so that a crash leaves no chunks behind.
 */
export const KbRemoval = collection('kb_removals', schema);
