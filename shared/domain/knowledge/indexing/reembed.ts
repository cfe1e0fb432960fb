/**
 * Embeds stored chunks with the configured model, without fetching their pages again. While a namespace still has
 * another model, the new vectors are stored in addition to the old ones. When all published chunks have new vectors,
 * the namespace switches to the configured model.
 */
import type { Embedder } from '../../../embedding/embedder.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbContent } from '../../../models/kb-content.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { encodeVector } from '../../../vectors/vector.ts';
import { embeddedText, vectorOf, VECTOR_FIELDS } from './chunks.ts';
import { addVectorsToIndex } from './index-rows.ts';
import {
  findReplacedModels,
  findUnswitched,
  findWithOtherDimension,
  forgetReplacedModel,
  indexSpaceOf,
  modelOf,
  type NamespaceKey,
  PROBE_TEXT,
  switchModel,
} from './namespace-model.ts';

/** A content with published chunks. */
interface PublishedContent extends NamespaceKey {
  id: string;
  publishedAttemptId: string;
}

/** The filter for contents whose published chunks lack vectors of the model. */
export const outdatedFilter = (model: string) => ({
  publishedAttemptId: { $exists: true },
  embedded_by: { $ne: model },
});

/** Returns the projects with contents whose chunks lack vectors of the model, or with namespaces that must switch. */
export const projectsToEmbed = async (model: string): Promise<string[]> => {
  const [outdated, unswitched] = await Promise.all([
    KbContent.distinct('id_project', outdatedFilter(model)).setOptions({ anyProject: true }),
    findUnswitched(model),
  ]);
  return [...new Set([...outdated, ...unswitched.map(({ id_project }) => id_project)])];
};

const storeVectors = async (
  { id_project }: NamespaceKey,
  { ids, vectors, fields }: { ids: string[]; vectors: Float32Array[]; fields: (vector: Buffer) => object },
): Promise<void> => {
  const writes = ids.map((_id, index) => ({
    updateOne: {
      filter: { _id, id_project },
      update: { $set: fields(encodeVector(vectors[index] as Float32Array)) },
    },
  }));
  await KbChunk.bulkWrite(writes);
};

/**
 * Embeds the published chunks of a content that have no vector of `model`, and adds the vectors to the index. In
 * MongoDB, they replace the old vectors only if the namespace already uses `model`.
 */
export const embedStoredChunks = async (content: PublishedContent, model: Embedder): Promise<void> => {
  const { id, id_project, namespace, publishedAttemptId } = content;
  const fields = { headings: 1, context: 1, text: 1, content: 1, attemptId: 1, ...VECTOR_FIELDS } as const;
  const chunks = await KbChunk.find({ id_project, content: id, attemptId: publishedAttemptId }, fields).lean();
  const outdated = chunks.filter((chunk) => !vectorOf(chunk, model));
  if (outdated.length) {
    const texts = outdated.map(embeddedText);
    const vectors = await model.embed(texts, { project: id_project });
    const isInUse = (await modelOf({ id_project, namespace }))?.name === model.name;
    await storeVectors(content, {
      ids: outdated.map(({ _id }) => _id),
      vectors,
      fields: (vector) => (isInUse ? { vector, model: model.name } : { nextVector: vector, nextModel: model.name }),
    });
    const rows = outdated.map(({ _id, attemptId }, index) => ({
      ...{ id: _id, content: id, attemptId, text: texts[index] as string },
      vector: vectors[index] as Float32Array,
    }));
    await addVectorsToIndex({ id_project, namespace }, model, rows);
  }
  await KbContent.updateOne({ _id: id, id_project, publishedAttemptId }, { $set: { embedded_by: model.name } });
};

/**
 * Replaces the old vectors of chunks with the new ones: moves `nextVector` to `vector`. Meanwhile, searches find the
 * new vector of a chunk in either of these fields.
 */
const promoteVectors = async ({ id_project, namespace }: NamespaceKey, model: string): Promise<void> => {
  await KbChunk.updateMany(
    { id_project, namespace, nextModel: model },
    [{ $set: { vector: '$nextVector', model: '$nextModel' } }, { $unset: ['nextVector', 'nextModel'] }],
    { updatePipeline: true },
  );
};

const isWorking = (model: Embedder, { id_project: project }: NamespaceKey): Promise<boolean> =>
  model.embed([PROBE_TEXT], { project }).then(
    () => true,
    () => false,
  );

/** The filter for chunks whose `nextVector` is from a model with the name of `model` but another dimension. */
const otherNextVectors = ({ id_project, namespace }: NamespaceKey, { name, dimension }: Embedder) => ({
  ...{ id_project, namespace, nextModel: name },
  $expr: { $ne: [{ $binarySize: '$nextVector' }, dimension * Float32Array.BYTES_PER_ELEMENT] },
});

/**
 * Deletes each `nextVector` from a model with the name of `model` but another dimension. All contents of the namespace
 * with vectors of this name then count as not embedded; the chunks that have vectors of `model` are not embedded again.
 */
const discardNextVectors = async (namespaceKey: NamespaceKey, model: Embedder): Promise<void> => {
  const { id_project, namespace } = namespaceKey;
  await KbContent.updateMany({ id_project, namespace, embedded_by: model.name }, { $set: { embedded_by: '' } });
  await KbChunk.updateMany(otherNextVectors(namespaceKey, model), { $unset: { nextVector: 1, nextModel: 1 } });
};

/**
 * Switches a namespace to `model` if all its published chunks have vectors of the model. If some of these vectors have
 * another dimension, because the model changed under the same name, they are deleted instead (unless the model fails),
 * and their chunks are embedded after the next sweep. A content that is published with the old model at the moment of
 * the switch is also embedded after the next sweep. Until then, it is found only by its words.
 */
export const switchIfComplete = async (namespaceKey: NamespaceKey, model: Embedder): Promise<void> => {
  const { id_project, namespace } = namespaceKey;
  if (await KbContent.exists({ id_project, namespace, ...outdatedFilter(model.name) })) return;
  if (await KbChunk.exists(otherNextVectors(namespaceKey, model))) {
    if (await isWorking(model, namespaceKey)) await discardNextVectors(namespaceKey, model);
    return;
  }
  await switchModel(namespaceKey, model);
  await promoteVectors(namespaceKey, model.name);
};

/**
 * Switches namespaces to `model` immediately if their model has the same name but another dimension, as when another
 * provider is configured. The name no longer denotes the model of the stored vectors, so they are deleted,
 * contents that had such vectors count as not embedded, and copies in other indexes are no longer used. Does nothing
 * while the model fails. A wrong EMBEDDING_DIMENSION makes it fail.
 */
export const discardOtherDimensions = async (model: Embedder): Promise<void> => {
  for (const namespaceKey of await findWithOtherDimension(model)) {
    if (!(await isWorking(model, namespaceKey))) return;
    const { id_project, namespace } = namespaceKey;
    const vectorsOfModel = { id_project, namespace, model: model.name };
    await KbChunk.updateMany(vectorsOfModel, { $set: { model: '' }, $unset: { vector: 1 } });
    await discardNextVectors(namespaceKey, model);
    await KbNamespace.updateOne({ id_project, id: namespace }, { $unset: { copies: 1 } });
    await switchModel(namespaceKey, model);
  }
};

/** Drops from the index the vectors of replaced models that searches no longer use. */
export const dropReplacedVectors = async (): Promise<void> => {
  for (const replaced of await findReplacedModels()) {
    const { model } = replaced;
    if (model) await chunkIndex().dropVectors(indexSpaceOf(replaced, model));
    await forgetReplacedModel(replaced);
  }
};
