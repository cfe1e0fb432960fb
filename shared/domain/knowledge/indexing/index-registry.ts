/**
 * Records which index holds each namespace. An index has an identity that is stored with its data: after its folder was
 * deleted or another store was configured, the identity differs, and every namespace that names the old identity is
 * rebuilt.
 */
import { decodeTime, ulid } from 'ulid';
import { config } from '../../../config.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { addToIndex, markIndexMissing, readIndexRows, spaceOf } from './chunks.ts';

interface NamespaceId {
  id_project: string;
  id: string;
}

/** Returns the identity of the index in use. */
export const currentIndexId = (): Promise<string> => chunkIndex().identity();

/** Returns the namespaces that are not in the index in use. */
export const outdatedNamespaces = async (): Promise<NamespaceId[]> =>
  KbNamespace.find(
    { indexId: { $ne: await currentIndexId() } },
    { id: 1, id_project: 1, _id: 0 },
    { anyProject: true },
  ).lean();

/** Returns whether the namespace is missing from the index in use. */
export const isNamespaceOutdated = async ({ id_project, id }: NamespaceId): Promise<boolean> =>
  Boolean(await KbNamespace.exists({ id_project, id, indexId: { $ne: await currentIndexId() } }));

const REBUILD_MARK_PREFIX = 'rebuilding ';
const LEASE_MS = config.LEASE_SECONDS * 1000;

const newRebuildMark = (): string => REBUILD_MARK_PREFIX + ulid();

const isRebuilding = (index: string): boolean =>
  index.startsWith(REBUILD_MARK_PREFIX) && Date.now() - decodeTime(index.slice(REBUILD_MARK_PREFIX.length)) < LEASE_MS;

/**
 * Locks the rebuild of a namespace: its index field holds a mark with a timestamp instead of an identity. Returns null
 * while another process holds the lock. `renew` refreshes the timestamp and returns false if the lock was lost; `end`
 * stores the identity of the rebuilt index.
 */
const lockRebuild = async ({ id_project, id }: NamespaceId) => {
  const namespace = await KbNamespace.findOne({ id_project, id }, { indexId: 1 }).lean();
  let mark = namespace?.indexId ?? '';
  const replaceMark = async (indexId: string): Promise<boolean> => {
    const { matchedCount } = await KbNamespace.updateOne({ id_project, id, indexId: mark }, { $set: { indexId } });
    mark = indexId;
    return matchedCount === 1;
  };
  if (isRebuilding(mark) || !(await replaceMark(newRebuildMark()))) return null;
  return { renew: () => replaceMark(newRebuildMark()), end: replaceMark };
};

/**
 * Rebuilds the index of a namespace from MongoDB, unless another process does. Chunks added meanwhile are not lost:
 * they are stored in MongoDB before the index, and the index is emptied before MongoDB is read. Returns the number of
 * chunks written.
 */
export const rebuildNamespace = async ({ id_project, id }: NamespaceId): Promise<number> => {
  const indexId = await currentIndexId();
  const rebuildLock = await lockRebuild({ id_project, id });
  if (!rebuildLock) return 0;
  await chunkIndex().drop(spaceOf({ id_project, namespace: id }));
  // If the lock was lost before the drop, the drop may have removed rows of the new lock holder.
  if (!(await rebuildLock.renew())) await markIndexMissing({ id_project, namespace: id });
  let written = 0;
  for await (const rows of readIndexRows(id_project, id)) {
    if (!(await rebuildLock.renew())) return written;
    await addToIndex({ id_project, namespace: id }, rows);
    written += rows.length;
  }
  await rebuildLock.end(indexId);
  return written;
};

/** Returns every namespace that has chunks, for a manual rebuild. */
export const populatedNamespaces = async (): Promise<NamespaceId[]> => {
  const groups = await KbChunk.aggregate<{ _id: { id_project: string; id: string } }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' } } },
  ]).option({ anyProject: true });
  return groups.map(({ _id }) => _id);
};
