import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Time } from '../view.ts';

const schema = Schema.create(
  {
    id: { type: String, required: true },
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    default: { type: Boolean, default: false },
    hybrid: { type: Boolean, default: false },
    preview_settings: { type: Schema.Types.Mixed, required: true },
    /** The chunk index that holds this namespace; another one than now is in use means: rebuild. */
    index: { type: String, default: '' },
  },
  kept,
);
schema.index({ id: 1 }, { unique: true });
schema.index({ id_project: 1, createdAt: 1 });
schema.index({ index: 1 });

/** A knowledge base; its public id is `id`, which for the default one is the project's (decision 36). */
export const KbNamespace = collection('kb_namespaces', schema);

/** The vector engine that really runs (decision 46). */
export const EngineView = z.strictObject({
  name: z.string(),
  type: z.string(),
  apikey: z.literal(''),
  vector_size: z.number(),
  index_name: z.string(),
});

/** The embedder that really runs; provider `none` means full text alone. */
export const EmbeddingView = z.strictObject({
  provider: z.string(),
  name: z.string(),
  dimension: z.number(),
  api_key: z.literal(''),
});

/** A knowledge base on the wire: no `_id`, no `__v` (contract c 1.1). */
export const KbNamespaceView = z.strictObject({
  id: z.string(),
  id_project: z.string(),
  name: z.string(),
  default: z.boolean(),
  hybrid: z.boolean(),
  preview_settings: z.record(z.string(), z.unknown()),
  engine: EngineView,
  embedding: EmbeddingView,
  count: z.number().optional().meta({ description: 'Contents, when `count` is asked' }),
  createdAt: Time,
  updatedAt: Time,
});
