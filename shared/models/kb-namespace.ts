import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Time, view } from '../wire/view.ts';

const copy = new Schema(
  { indexId: { type: String, required: true }, model: { type: String, default: '' } },
  { _id: false, strict: 'throw' },
);

const schema = Schema.create(
  {
    id: { type: String, required: true },
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    default: { type: Boolean, default: false },
    hybrid: { type: Boolean, default: false },
    preview_settings: { type: Schema.Types.Mixed, required: true },
    /**
     * Id of the chunk index in which this namespace was built. If another index is in use, the namespace is
     * rebuilt.
     */
    indexId: { type: String, default: '' },
    /** The copies of this namespace in other indexes, each with the model of its vectors. A copy may be outdated. */
    copies: { type: [copy], default: undefined },
    /** The embedding model whose vectors are searched; absent until the first chunks with vectors are stored. */
    embeddingModel: Schema.Types.Mixed,
    /** The embedding model before the last switch, until its vectors are dropped. */
    replacedModel: Schema.Types.Mixed,
    modelSwitchedAt: Date,
  },
  schemaOptions,
);
schema.index({ id: 1 }, { unique: true });
schema.index({ id_project: 1, createdAt: 1 });
schema.index({ indexId: 1 });
schema.index({ 'embeddingModel.name': 1 }, { sparse: true });
schema.index({ modelSwitchedAt: 1 }, { sparse: true });

/** Knowledge bases (namespaces). The public id is `id`; for the default namespace, it is the project's id. */
export const KbNamespace = collection('kb_namespaces', schema);

/** The vector engine in use. */
export const EngineView = view('Engine', {
  name: z.string(),
  type: z.string(),
  apikey: z.literal(''),
  vector_size: z.number(),
  index_name: z.string(),
});

/** The embedder in use; the provider `none` means full-text search only. */
export const EmbeddingView = view('Embedding', {
  provider: z.string(),
  name: z.string(),
  dimension: z.number(),
  api_key: z.literal(''),
});

/** A knowledge base on the wire, without `_id` and `__v`. */
export const KbNamespaceView = view('KbNamespace', {
  id: z.string(),
  id_project: z.string(),
  name: z.string(),
  default: z.boolean(),
  hybrid: z.boolean(),
  preview_settings: z.record(z.string(), z.unknown()),
  engine: EngineView,
  embedding: EmbeddingView,
  count: z.number().optional().meta({ description: 'Number of contents; only with the parameter `count`' }),
  createdAt: Time,
  updatedAt: Time,
});
