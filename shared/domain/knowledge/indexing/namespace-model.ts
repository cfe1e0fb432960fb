/**
 * The embedding model of a namespace. If another model is configured, the namespace keeps its model, and searches use
 * it, until all chunks have vectors of the configured model as well. One write then switches the namespace.
 */
import { TtlCache } from '../../../concurrency/ttl-cache.ts';
import { type Embedder, embedder, embedderOf, modelKey, type ModelReference } from '../../../embedding/embedder.ts';
import { AppError } from '../../../errors.ts';
import { emits } from '../../../events.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import type { IndexSpace } from '../../../vectors/index.ts';

/** Identifies a namespace. */
export interface NamespaceKey {
  id_project: string;
  namespace: string;
}

/** Maximum time after a switch until every process uses the new model of a namespace. */
const CACHE_MS = 1000;
/**
 * The vectors of a replaced model are dropped when this time has passed since the switch. By then, searches that began
 * with the replaced model have ended in all processes.
 */
const DROP_DELAY_MS = 10 * CACHE_MS;

const references = new TtlCache<{ model: ModelReference | null }>({ ttlMs: CACHE_MS, max: 1000 });

/** A text that is embedded only to find out whether a model works. */
export const PROBE_TEXT = 'probe';
const USABLE_CACHE_MS = 60_000;
/** The codes of errors that show that the provider no longer offers a model. */
const REFUSALS = ['AI_REQUEST_REJECTED', 'AI_BAD_ANSWER'];

const usableModels = new TtlCache<boolean>({ ttlMs: USABLE_CACHE_MS, max: 100 });

/** Whether the provider still offers a model that is no longer configured. Calls the model at most once a minute. */
const isUsable = async (model: Embedder, { id_project: project }: NamespaceKey): Promise<boolean> => {
  const key = modelKey(model);
  const known = usableModels.get(key);
  if (known !== undefined) return known;
  const isRefusal = (error: unknown) => error instanceof AppError && REFUSALS.includes(error.code);
  const usable = await model.embed([PROBE_TEXT], { project, priority: true }).then(
    () => true,
    (error: unknown) => !isRefusal(error),
  );
  usableModels.set(key, usable);
  return usable;
};

const keyOf = ({ id_project, namespace }: NamespaceKey): string => `${id_project}/${namespace}`;

const toReference = ({ provider, name, dimension }: ModelReference): ModelReference => ({ provider, name, dimension });

const readReference = async (namespaceKey: NamespaceKey): Promise<ModelReference | null> => {
  const key = keyOf(namespaceKey);
  const cached = references.get(key);
  if (cached) return cached.model;
  const { id_project, namespace: id } = namespaceKey;
  const found = await KbNamespace.findOne({ id_project, id }, { embeddingModel: 1 }).lean();
  const model = (found?.embeddingModel as ModelReference | null | undefined) ?? null;
  references.set(key, { model });
  return model;
};

/**
 * Returns the model that a namespace is searched and indexed with: its own, or the configured one if the namespace has
 * none yet or its own is no longer available. Returns null if no model is configured.
 */
export const modelOf = async (namespaceKey: NamespaceKey): Promise<Embedder | null> => {
  const configured = embedder();
  if (!configured) return null;
  const reference = await readReference(namespaceKey);
  const own = reference && embedderOf(reference);
  return own && (own === configured || (await isUsable(own, namespaceKey))) ? own : configured;
};

/** Returns the part of the index that holds a namespace, with the vectors of `model`. */
export const indexSpaceOf = (
  { id_project, namespace }: NamespaceKey,
  model: Pick<ModelReference, 'name' | 'dimension'> | null = embedder(),
): IndexSpace => ({
  project: id_project,
  namespace,
  dimension: model?.dimension ?? null,
  ...(model ? { model: model.name } : {}),
});

/** Records the model of a namespace that has none, before the first chunks with vectors are published. */
export const recordModel = async (namespaceKey: NamespaceKey, model: Embedder): Promise<void> => {
  if (await readReference(namespaceKey)) return;
  const { id_project, namespace: id } = namespaceKey;
  const update = { $set: { embeddingModel: toReference(model) } };
  await KbNamespace.updateOne({ id_project, id, embeddingModel: null }, update);
  references.delete(keyOf(namespaceKey));
};

/**
 * Switches a namespace to `model`. Must be called only when all its published chunks have vectors of this model.
 * Returns true if the namespace had another model. The replaced model is recorded, so that its vectors are dropped
 * later.
 */
export const switchModel = async (namespaceKey: NamespaceKey, model: Embedder): Promise<boolean> => {
  const { id_project, namespace: id } = namespaceKey;
  const change = {
    embeddingModel: { $literal: toReference(model) },
    replacedModel: { $ifNull: ['$embeddingModel', '$$REMOVE'] },
    modelSwitchedAt: '$$NOW',
  };
  const { name, dimension } = model;
  const filter = { id_project, id, $nor: [{ 'embeddingModel.name': name, 'embeddingModel.dimension': dimension }] };
  const options = { updatePipeline: true, ...emits('kb.namespace.update') };
  const { matchedCount } = await KbNamespace.updateOne(filter, [{ $set: change }], options);
  references.delete(keyOf(namespaceKey));
  return matchedCount === 1;
};

/** Returns the namespaces, of one project or of all, that match a filter. */
const findNamespaces = async (filter: object, id_project?: string): Promise<NamespaceKey[]> => {
  const ofProject = { ...filter, ...(id_project ? { id_project } : {}) };
  const options = { anyProject: !id_project };
  const found = await KbNamespace.find(ofProject, { id: 1, id_project: 1, _id: 0 }, options).lean();
  return found.map((each) => ({ id_project: each.id_project, namespace: each.id }));
};

/** Returns the namespaces, of one project or of all, that have a model other than `model`. */
export const findUnswitched = (model: string, id_project?: string): Promise<NamespaceKey[]> =>
  findNamespaces({ 'embeddingModel.name': { $exists: true, $ne: model } }, id_project);

/** Returns the namespaces, of all projects, whose model has the same name as `model` but another dimension. */
export const findWithOtherDimension = ({ name, dimension }: ModelReference): Promise<NamespaceKey[]> =>
  findNamespaces({ 'embeddingModel.name': name, 'embeddingModel.dimension': { $ne: dimension } });

/** Returns the model of a namespace, and the one that will replace it (null if none will). */
export const modelsOf = async (namespaceKey: NamespaceKey) => {
  const model = await modelOf(namespaceKey);
  const configured = embedder();
  return { model, nextModel: configured?.name === model?.name ? null : configured };
};

/** A namespace that still has the vectors of the model that it used before. */
export interface ReplacedModel extends NamespaceKey {
  model: ModelReference;
}

/** Returns the namespaces with a replaced model that searches no longer use. */
export const findReplacedModels = async (): Promise<ReplacedModel[]> => {
  const due = { modelSwitchedAt: { $lte: new Date(currentTimeMs() - DROP_DELAY_MS) } };
  const fields = { id: 1, id_project: 1, replacedModel: 1, _id: 0 };
  const found = await KbNamespace.find(due, fields, { anyProject: true }).lean();
  return found.map(({ id_project, id, replacedModel: model }) => ({
    id_project,
    namespace: id,
    model: model as ModelReference,
  }));
};

/** Records that the vectors of the replaced model were dropped. */
export const forgetReplacedModel = async ({ id_project, namespace: id, model }: ReplacedModel): Promise<void> => {
  const filter = { id_project, id, ...(model ? { 'replacedModel.name': model.name } : {}) };
  await KbNamespace.updateOne(filter, { $unset: { replacedModel: 1, modelSwitchedAt: 1 } });
};
