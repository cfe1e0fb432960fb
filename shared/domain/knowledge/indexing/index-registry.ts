/**
 * Records which index holds each namespace. The identity of an index is stored with its data. If the folder of the
 * index is deleted or another store is configured, the identity differs, and every namespace that records the old
 * identity is rebuilt.
 */
import { decodeTime, ulid } from 'ulid';
import { config } from '../../../config.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { addToIndex, markIndexMissing, readIndexRows, indexSpaceOf } from './chunks.ts';

interface NamespaceId {
  id_project: string;
  id: string;
}

/** Returns the identity of the index in use. */
export const currentIndexId = (): Promise<string> => chunkIndex().identity();

/** Finds the namespaces that the index in use does not hold. */
export const findOutdatedNamespaces = async (): Promise<NamespaceId[]> =>
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
 * Locks the rebuild of a namespace by storing a mark with a timestamp instead of the index's identity. Returns null
 * while another process holds the lock. `renew` refreshes the timestamp, and returns false if the lock was lost. `end`
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
 * Rebuilds the index of a namespace from MongoDB, unless another process is rebuilding it. Chunks that are added in the
 * meantime are not lost: they are stored in MongoDB before the index, and the index is emptied before MongoDB is read.
 * Returns the number of chunks written.
 */
export const rebuildNamespace = async ({ id_project, id }: NamespaceId): Promise<number> => {
  const indexId = await currentIndexId();
  const rebuildLock = await lockRebuild({ id_project, id });
  if (!rebuildLock) return 0;
  await chunkIndex().drop(indexSpaceOf({ id_project, namespace: id }));
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

/** Finds the namespaces that have chunks, for a manual rebuild. */
export const findNamespacesWithChunks = async (): Promise<NamespaceId[]> => {
  const groups = await KbChunk.aggregate<{ _id: { id_project: string; id: string } }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' } } },
  ]).option({ anyProject: true });
  return groups.map(({ _id }) => _id);
};
