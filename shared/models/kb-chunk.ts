import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** Hash of `content`, `attemptId` and `index`, so that two attempts never share a chunk. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    content: { type: String, required: true },
    attemptId: { type: String, required: true },
    index: { type: Number, required: true },
    headings: { type: [String], default: [] },
    text: { type: String, required: true },
    /** What the chunk is about within its content; written by a chat model if the content has `situated_context`. */
    context: String,
    /** Hash of the embedded text, so that an unchanged chunk is not embedded again. */
    hash: { type: String, required: true },
    tokens: { type: Number, required: true },
    /** Little-endian float32 values; absent until the chunk is embedded. */
    vector: Buffer,
    /** The embedding model of `vector`; an empty string without a vector. */
    model: { type: String, default: '' },
    /** The vector from the embedding model to which the namespace is about to switch, and the name of that model. */
    nextVector: Buffer,
    nextModel: String,
  },
  { versionKey: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, content: 1, attemptId: 1, index: 1 });
schema.index({ id_project: 1, namespace: 1, model: 1, _id: 1 });

/** Chunks of contents, with their heading paths and vectors. The chunk index is built from these records. */
export const KbChunk = collection('kb_chunks', schema);
