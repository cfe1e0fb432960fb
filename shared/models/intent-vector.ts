import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

/** How long a vector is kept. After that, it is computed again if its phrase still exists. */
const VECTOR_TTL_SECONDS = 60 * 86_400;

const schema = Schema.create(
  {
    /** The bot, and a hash of the embedding model's name and the phrase. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    bot: { type: String, required: true },
    /** Little-endian float32 values. */
    vector: { type: Buffer, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, bot: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: VECTOR_TTL_SECONDS });

/** Vectors of training phrases. They can be deleted at any time. */
export const IntentVector = collection('intent_vectors', schema);
