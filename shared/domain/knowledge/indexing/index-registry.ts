/**
 * Records which index holds each namespace. The identity of an index is stored with its data. If the folder of the
 * index is deleted or another store is configured, the identity differs, and every namespace that records the old
 * identity is rebuilt.
 */
import { decodeTime, ulid } from 'ulid';
import { config } from '../../../config.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { chunkIndex } from '../../../vectors/index.ts';
import { markIndexMissing } from './chunks.ts';
import { addRowsToIndex, type IndexedNamespace, readIndexRows } from './index-rows.ts';
import { indexSpaceOf, modelsOf } from './namespace-model.ts';
import { syncIndex } from './sync-index.ts';

/** Identifies a namespace by its public id. */
export interface NamespaceId {
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

const newRebuildMark = (): string => REBUILD_MARK_PREFIX + ulid(currentTimeMs());

const isRebuilding = (index: string): boolean =>
  index.startsWith(REBUILD_MARK_PREFIX) &&
  currentTimeMs() - decodeTime(index.slice(REBUILD_MARK_PREFIX.length)) < LEASE_MS;

interface RebuildLock {
  /** Refreshes the timestamp of the lock; returns false if the lock was lost. */
  renew(): Promise<boolean>;
  /** Releases the lock and records that the index with this identity holds the namespace. */
  end(indexId: string): Promise<void>;
  /** Whether the namespace was copied to the index with this identity, with vectors of the model. */
  hasCopy(indexId: string, model: string): boolean;
}

/**
 * Locks the rebuild of a namespace by storing a mark with a timestamp instead of the index's identity. Returns null
 * while another process holds the lock.
 */
const lockRebuild = async ({ id_project, id }: NamespaceId): Promise<RebuildLock | null> => {
  const namespace = await KbNamespace.findOne({ id_project, id }, { indexId: 1, copies: 1 }).lean();
  let mark = namespace?.indexId ?? '';
  const replaceMark = async (indexId: string): Promise<boolean> => {
    const { matchedCount } = await KbNamespace.updateOne({ id_project, id, indexId: mark }, { $set: { indexId } });
    mark = indexId;
    return matchedCount === 1;
  };
  if (isRebuilding(mark) || !(await replaceMark(newRebuildMark()))) return null;
  return {
    renew: () => replaceMark(newRebuildMark()),
    end: async (indexId) => {
      const update = { $set: { indexId }, $pull: { copies: { indexId } } };
      await KbNamespace.updateOne({ id_project, id, indexId: mark }, update);
    },
    hasCopy: (indexId, model) =>
      Boolean(namespace?.copies?.some((copy) => copy.indexId === indexId && copy.model === model)),
  };
};

/**
 * Fills the index of a namespace from MongoDB, unless another process is doing so. If the namespace was copied to this
 * index before, only the changes since the copy are written, and searches use the index in the meantime. Otherwise, the
 * index is emptied first. Chunks that are added during the rebuild are not lost: they are stored in MongoDB first, and
 * the index is emptied before MongoDB is read. Returns the number of chunks written.
 */
export const rebuildNamespace = async ({ id_project, id }: NamespaceId): Promise<number> => {
  const indexId = await currentIndexId();
  const rebuildLock = await lockRebuild({ id_project, id });
  if (!rebuildLock) return 0;
  const namespaceKey = { id_project, namespace: id };
  const indexed = { ...namespaceKey, ...(await modelsOf(namespaceKey)) };
  const written = rebuildLock.hasCopy(indexId, indexed.model?.name ?? '')
    ? await syncIndex(chunkIndex(), indexed, { isCancelled: async () => !(await rebuildLock.renew()) })
    : await emptyAndFill(indexed, rebuildLock);
  if (written !== null) await rebuildLock.end(indexId);
  return written ?? 0;
};

/** Empties the index of a namespace and fills it. Returns null if the lock was lost. */
const emptyAndFill = async (indexed: IndexedNamespace, rebuildLock: RebuildLock): Promise<number | null> => {
  const { id_project, namespace } = indexed;
  await chunkIndex().drop(indexSpaceOf(indexed));
  // If the lock was lost before the drop, the drop may have removed rows that the new lock holder has written.
  if (!(await rebuildLock.renew())) await markIndexMissing({ id_project, namespace });
  let written = 0;
  for await (const batch of readIndexRows(indexed)) {
    if (!(await rebuildLock.renew())) return null;
    await addRowsToIndex(indexed, batch);
    written += batch.rows.length;
  }
  return written;
};

/** Finds the namespaces that have chunks, with the number of chunks, for a manual rebuild or a migration. */
export const findNamespacesWithChunks = async (): Promise<(NamespaceId & { chunks: number })[]> => {
  const groups = await KbChunk.aggregate<{ _id: NamespaceId; chunks: number }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' }, chunks: { $sum: 1 } } },
  ]).option({ anyProject: true });
  return groups.map(({ _id, chunks }) => ({ ..._id, chunks }));
};

/** Records that a namespace was copied to an index that is not in use yet. */
export const recordCopy = async ({ id_project, id }: NamespaceId, copy: { indexId: string; model: string }) => {
  await KbNamespace.updateOne({ id_project, id }, { $pull: { copies: { indexId: copy.indexId } } });
  await KbNamespace.updateOne({ id_project, id }, { $push: { copies: copy } });
};
