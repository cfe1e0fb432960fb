import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    content: { type: String, required: true },
    attempts: { type: [String], required: true },
    /** Not before the lease of whoever still worked on the content has ended. */
    due: { type: Date, required: true },
  },
  kept,
);
schema.index({ due: 1 });
schema.index({ id_project: 1, content: 1 });

/** A content that is gone and whose chunks still have to go: written with its deletion, so that no kill leaves any behind. */
export const KbRemoval = collection('kb_removals', schema);
