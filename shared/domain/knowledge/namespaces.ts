/** Knowledge bases: what is in them and which index holds them. */
import type { Types } from 'mongoose';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { embedder } from '../../embedding/embedder.ts';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace, KbNamespaceView } from '../../models/kb-namespace.ts';
import { KbQuestion } from '../../models/kb-question.ts';
import { Outbox } from '../../models/outbox.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { chunkIndex } from '../../vectors/index.ts';
import { fieldsOf } from '../../view.ts';
import { spaceOf } from './chunks.ts';
import { place } from './index-places.ts';
import { remove as removeContents } from './removals.ts';

const CREATED = emits('kb.namespace.create');
const FIELDS = { ...fieldsOf(KbNamespaceView), _id: 0 } as const;

/** What a namespace answers with until its owner sets something else: the model that runs here. */
const PREVIEW = {
  model: config.CHAT_MODEL ?? 'gpt-4o',
  max_tokens: 256,
  temperature: 0.7,
  top_k: 4,
  alpha: 0.5,
  context: null,
};

/** What really runs here (decision 46). */
export const engineOf = ({ id, id_project }: { id: string; id_project: string }) => {
  const model = embedder();
  const dimension = model?.dimension ?? 0;
  const { name, type } = chunkIndex();
  return {
    engine: { name, type, apikey: '' as const, vector_size: dimension, index_name: `${id_project}/${id}` },
    embedding: {
      provider: model?.provider ?? 'none',
      name: model?.name ?? 'full text alone',
      dimension,
      api_key: '' as const,
    },
  };
};

const seen = <N extends { id: string; id_project: string }>(namespace: N) => ({ ...namespace, ...engineOf(namespace) });

/** Knowledge bases of any project, for those who are told of them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]) => {
  const fields = fieldsOf(KbNamespaceView); // their key, `_id`, comes with them
  const found = await KbNamespace.find({ _id: { $in: keys } }, fields, { anyProject: true }).lean();
  return found.map(({ _id: key, ...namespace }) => ({ key, shown: seen(namespace) }));
};

const read = async (id_project: string, id: string) =>
  (await readOne(KbNamespace, { id_project, id }, FIELDS)) as KbRecord | null;

interface KbRecord {
  id: string;
  id_project: string;
  name: string;
  default: boolean;
  hybrid: boolean;
  preview_settings: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

/** The namespace, or 404 as contract c 1.6 has it; the default one is there from the start. */
export const find = async (id_project: string, id: string): Promise<KbRecord> => {
  const known = await lookUp(id_project, id);
  if (known) return known;
  throw notFound(`Namespace not found with id ${id}`);
};

const lookUp = async (id_project: string, id: string): Promise<KbRecord | null> =>
  (await read(id_project, id)) ?? (id === id_project ? addDefault(id_project) : null);

/** Two who ask at once are both given the one that the first of them made. */
const addDefault = async (id_project: string): Promise<KbRecord | null> => {
  const fresh = { name: 'Default', default: true, hybrid: false, preview_settings: PREVIEW, index: await place() };
  await makeOnce(() => KbNamespace.create([{ id: id_project, id_project, ...fresh }], CREATED));
  return read(id_project, id_project);
};

const countsOf = async (id_project: string): Promise<Map<string, number>> => {
  const groups = await KbContent.aggregate<{ _id: string; count: number }>([
    { $match: { id_project } },
    { $group: { _id: '$namespace', count: { $sum: 1 } } },
  ]);
  return new Map(groups.map(({ _id, count }) => [_id, count]));
};

/** All of a project, the default one first made if it is not there yet. */
export const list = async (id_project: string, counted: boolean) => {
  await find(id_project, id_project);
  const all = (await readMany(
    KbNamespace,
    { id_project },
    { fields: FIELDS, sort: { createdAt: 1, _id: 1 } },
  )) as KbRecord[];
  const counts = counted ? await countsOf(id_project) : null;
  return all.map((namespace) => ({ ...seen(namespace), ...(counts ? { count: counts.get(namespace.id) ?? 0 } : {}) }));
};

/** Add a knowledge base beside the default one. */
export const add = async (id_project: string, { name, hybrid = false }: { name: string; hybrid?: boolean }) => {
  await find(id_project, id_project);
  const id = newId();
  const fresh = { id, id_project, name, hybrid, preview_settings: PREVIEW, index: await place() };
  await makeOnce(() => KbNamespace.create([fresh], CREATED));
  return seen(await find(id_project, id));
};

/** Rename it or replace its preview settings; what is absent is kept. */
export const update = async (
  id_project: string,
  id: string,
  changes: { name?: string; preview_settings?: Record<string, unknown> },
) => {
  await find(id_project, id);
  if (Object.keys(changes).length)
    await KbNamespace.updateOne({ id_project, id }, { $set: changes }, emits('kb.namespace.update'));
  return seen(await find(id_project, id));
};

/** The namespace to be emptied or removed; 404 in the words of contract c 1.5. */
const doomed = async (id_project: string, id: string): Promise<KbRecord> => {
  const known = await lookUp(id_project, id);
  if (!known) throw notFound(`No namespace found for id ${id}`);
  return known;
};

/** Remove all contents of a namespace with their passages; the number removed. */
export const clear = async (id_project: string, id: string): Promise<number> => {
  await doomed(id_project, id);
  return removeContents({ id_project, namespace: id });
};

/** Remove a namespace with everything in it; 403 for the default one. */
export const remove = async (id_project: string, id: string): Promise<void> => {
  const { default: isDefault } = await doomed(id_project, id);
  if (isDefault) throw new AppError(403, 'DEFAULT_NAMESPACE', 'Default namespace cannot be deleted');
  await removeContents({ id_project, namespace: id });
  await chunkIndex().drop(spaceOf({ id_project, namespace: id }));
  await KbQuestion.deleteMany({ id_project, namespace: id });
  await forget({ id_project, id });
};

const forget = (own: { id_project: string; id: string }): Promise<void> =>
  inTransaction(async (session) => {
    const gone = await KbNamespace.findOneAndDelete(own, { projection: fieldsOf(KbNamespaceView), session }).lean();
    if (!gone) return;
    const { _id, ...namespace } = gone;
    const { id_project } = own;
    const told = { id_project, record: String(_id), shown: seen(namespace) };
    await Outbox.create([told], { session, ...emits('kb.namespace.delete') });
  });
