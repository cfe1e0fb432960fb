/** Namespaces: a project's knowledge bases, with their settings, contents and search engine. */
import type { ClientSession, Types } from 'mongoose';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { readMany, readOne } from '../../database/raw-read.ts';
import { embedder } from '../../embedding/embedder.ts';
import { notFound } from '../../errors.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace, KbNamespaceView } from '../../models/kb-namespace.ts';
import { Outbox } from '../../models/outbox.ts';
import { chunkIndex } from '../../vectors/index.ts';
import { projectionOf } from '../../wire/view.ts';
import { assertNamespacesLeft } from '../quotas/quotas.ts';
import { currentIndexId } from './indexing/index-registry.ts';

const CREATE_EVENT = emits('kb.namespace.create');
const NAMESPACE_FIELDS = { ...projectionOf(KbNamespaceView), _id: 0 } as const;

/** The preview settings of a new namespace: clients use them to try out questions. The API does not apply them. */
const DEFAULT_PREVIEW_SETTINGS = {
  model: config.CHAT_MODEL ?? 'gpt-4o',
  max_tokens: 256,
  temperature: 0.7,
  top_k: 4,
  alpha: 0.5,
  context: null,
};

/** The `type` of each search engine on the API. Its location is not returned, because projects need not know it. */
const ENGINE_TYPES = { lancedb: 'LanceDB', qdrant: 'Qdrant' } as const;

/** Returns the search engine and embedding model in use, which are settings of the installation, not of a namespace. */
export const engineOf = ({ id, id_project }: { id: string; id_project: string }) => {
  const model = embedder();
  const dimension = model?.dimension ?? 0;
  const { name } = chunkIndex();
  const type = ENGINE_TYPES[name];
  return {
    engine: { name, type, apikey: '' as const, vector_size: dimension, index_name: `${id_project}/${id}` },
    embedding: {
      provider: model?.provider ?? 'none',
      name: model?.name ?? 'full text only',
      dimension,
      api_key: '' as const,
    },
  };
};

const withEngine = <N extends { id: string; id_project: string }>(namespace: N) => ({
  ...namespace,
  ...engineOf(namespace),
});

/** Reads the namespaces with these keys that still exist, in the form that events carry. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]) => {
  const fields = projectionOf(KbNamespaceView); // MongoDB also returns `_id`, which is the key
  const found = await KbNamespace.find({ _id: { $in: keys } }, fields, { anyProject: true }).lean();
  return found.map(({ _id: key, ...namespace }) => ({ key, view: withEngine(namespace) }));
};

const readNamespace = async (id_project: string, id: string) =>
  (await readOne(KbNamespace, { id_project, id }, NAMESPACE_FIELDS)) as NamespaceRecord | null;

interface NamespaceRecord {
  id: string;
  id_project: string;
  name: string;
  default: boolean;
  hybrid: boolean;
  preview_settings: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns a namespace. The default namespace is created on first use. Throws 404 for an unknown namespace. */
export const find = async (id_project: string, id: string): Promise<NamespaceRecord> => {
  const namespace = await findOrAddDefault(id_project, id);
  if (namespace) return namespace;
  throw notFound(`Namespace not found with id ${id}`);
};

const findOrAddDefault = async (id_project: string, id: string): Promise<NamespaceRecord | null> =>
  (await readNamespace(id_project, id)) ?? (id === id_project ? addDefault(id_project) : null);

/** Creates the default namespace. Concurrent calls all return the namespace that one of them creates. */
const addDefault = async (id_project: string): Promise<NamespaceRecord | null> => {
  const fields = {
    name: 'Default',
    default: true,
    hybrid: false,
    preview_settings: DEFAULT_PREVIEW_SETTINGS,
    indexId: await currentIndexId(),
  };
  await insertIfAbsent(() => KbNamespace.create([{ id: id_project, id_project, ...fields }], CREATE_EVENT));
  return readNamespace(id_project, id_project);
};

const countContents = async (id_project: string): Promise<Map<string, number>> => {
  const groups = await KbContent.aggregate<{ _id: string; count: number }>([
    { $match: { id_project } },
    { $group: { _id: '$namespace', count: { $sum: 1 } } },
  ]);
  return new Map(groups.map(({ _id, count }) => [_id, count]));
};

/**
 * Lists the namespaces of a project, with the number of contents of each if `withCounts` is set. Creates the default
 * namespace if it does not exist.
 */
export const list = async (id_project: string, withCounts: boolean) => {
  await find(id_project, id_project);
  const namespaces = (await readMany(
    KbNamespace,
    { id_project },
    { fields: NAMESPACE_FIELDS, sort: { createdAt: 1, _id: 1 } },
  )) as NamespaceRecord[];
  const counts = withCounts ? await countContents(id_project) : null;
  return namespaces.map((namespace) => ({
    ...withEngine(namespace),
    ...(counts ? { count: counts.get(namespace.id) ?? 0 } : {}),
  }));
};

/** Creates a namespace in addition to the default one. */
export const add = async (id_project: string, { name, hybrid = false }: { name: string; hybrid?: boolean }) => {
  await find(id_project, id_project);
  await assertNamespacesLeft(id_project);
  const id = newId();
  const namespace = {
    id,
    id_project,
    name,
    hybrid,
    preview_settings: DEFAULT_PREVIEW_SETTINGS,
    indexId: await currentIndexId(),
  };
  await insertIfAbsent(() => KbNamespace.create([namespace], CREATE_EVENT));
  return withEngine(await find(id_project, id));
};

/** Changes the name or the preview settings. Absent fields stay unchanged. Throws 404 for an unknown namespace. */
export const update = async (
  id_project: string,
  id: string,
  changes: { name?: string; preview_settings?: Record<string, unknown> },
) => {
  await find(id_project, id);
  if (Object.keys(changes).length)
    await KbNamespace.updateOne({ id_project, id }, { $set: changes }, emits('kb.namespace.update'));
  return withEngine(await find(id_project, id));
};

/**
 * Returns the namespace that is to be emptied or removed. The text of the 404 differs from that of `find`, because
 * deployed clients rely on both texts.
 */
export const findForRemoval = async (id_project: string, id: string): Promise<NamespaceRecord> => {
  const namespace = await findOrAddDefault(id_project, id);
  if (!namespace) throw notFound(`No namespace found for id ${id}`);
  return namespace;
};

/** Returns the name of a namespace, or undefined if the namespace does not exist. */
export const nameOf = async (id_project: string, id: string): Promise<string | undefined> =>
  (await KbNamespace.findOne({ id_project, id }, { name: 1 }).lean())?.name;

/** Deletes the record of a namespace. The event contains the number of removed contents. */
export const deleteNamespace = async (
  key: { id_project: string; id: string },
  { count, session }: { count: number; session: ClientSession },
): Promise<void> => {
  const deleted = await KbNamespace.findOneAndDelete(key, {
    projection: projectionOf(KbNamespaceView),
    session,
  }).lean();
  if (!deleted) return;
  const { _id, ...namespace } = deleted;
  const { id_project } = key;
  const outboxEntry = { id_project, record: String(_id), view: { ...withEngine(namespace), count } };
  await Outbox.create([outboxEntry], { session, ...emits('kb.namespace.delete') });
};
