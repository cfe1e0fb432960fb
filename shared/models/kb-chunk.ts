import { Schema } from 'mongoose';
import { collection } from '../mongo.ts';

const schema = Schema.create(
  {
    /** Hash of content, attempt and index: two attempts never share a chunk. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    content: { type: String, required: true },
    attempt: { type: String, required: true },
    index: { type: Number, required: true },
    headings: { type: [String], default: [] },
    text: { type: String, required: true },
    /** Hash of what was embedded, so that an unchanged chunk is not embedded again. */
    hash: { type: String, required: true },
    tokens: { type: Number, required: true },
    /** Little-endian float32; absent until a model embeds it. */
    vector: Buffer,
    /** The model that made `vector`, or an empty text. */
    model: { type: String, default: '' },
  },
  { versionKey: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, content: 1, attempt: 1, index: 1 });
schema.index({ id_project: 1, namespace: 1, model: 1, _id: 1 });

/** A passage of a content with its heading path and vector: the truth the chunk index is derived from. */
export const KbChunk = collection('kb_chunks', schema);
