/**
 * Removes files in three steps: marks the record as `deleting`, which ends all access; deletes the bytes from all
 * storages; deletes the record. The sweep (`sweepFiles`) completes interrupted removals, removes expired files and the
 * unfinished uploads of killed processes, and enqueues lost thumbnail jobs of stored images again.
 */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { logger } from '../../logger.ts';
import { Outbox } from '../../models/outbox.ts';
import { FileView, NO_PROJECT, StoredFile } from '../../models/stored-file.ts';
import { enqueue } from '../../queue/queue.ts';
import { deleteStoredBytes } from '../../storage/storages.ts';
import { backoffMs } from '../../time/backoff.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { projectionOf } from '../../wire/view.ts';
import { thumbnailPath } from './file-names.ts';
import { releaseBytes } from './usage.ts';

/** Identifies a file record. */
export interface FileKey {
  _id: string;
  id_project: string;
}

const FILE_FIELDS = projectionOf(FileView);
/** A thumbnail that is being generated when its image is removed may be stored up to this long after the removal. */
export const MAX_THUMBNAIL_MS = 2 * config.LEASE_SECONDS * 1000;
const BATCH_SIZE = 200;
const RETRY_DELAYS = { baseMs: 15_000, maxMs: 3_600_000 };
/** Maximum time that a sweep spends on files that cannot be handled. While a storage hangs, each takes about 10 s. */
const MAX_FAILING_MS = 30_000;

/** Returns the time after which a thumbnail that is being generated now can no longer be stored. */
const thumbnailEnd = (): Date => new Date(currentTimeMs() + MAX_THUMBNAIL_MS);

const emitDeletion = async (file: { _id: unknown; id_project: string }, session: ClientSession): Promise<void> => {
  if (file.id_project === NO_PROJECT) return;
  const entry = { id_project: file.id_project, record: String(file._id), view: file };
  await Outbox.create([entry], { session, ...emits('file.delete') });
};

/**
 * Ends access to a stored file and emits `file.delete`, in the caller's transaction. Returns the id of the file, or
 * undefined if it does not exist.
 */
export const markDeleting = async (
  file: { id_project: string; _id?: string; path?: string },
  session: ClientSession,
): Promise<string | undefined> => {
  const marked = await StoredFile.findOneAndUpdate(
    { ...file, status: 'stored' },
    { $set: { status: 'deleting', nextSweepAt: currentTime() } },
    { session, projection: FILE_FIELDS },
  ).lean();
  if (!marked) return undefined;
  await emitDeletion(marked, session);
  return String(marked._id);
};

const deleteRecord = (key: FileKey): Promise<void> =>
  inTransaction(async (session) => {
    const file = await StoredFile.findOneAndDelete({ ...key, status: 'deleting' }, { session }).lean();
    if (file) await releaseBytes(file, session);
  });

/**
 * Deletes the bytes and the record of a file that is marked `deleting`. If its thumbnail is being generated, the record
 * is kept until the thumbnail can no longer be stored; the sweep then deletes the bytes again, and the record.
 */
export const finishRemoval = async (key: FileKey): Promise<void> => {
  const file = await StoredFile.findOne({ ...key, status: 'deleting' }).lean();
  if (!file) return;
  await deleteStoredBytes([file.key, ...(file.thumbnail ? [thumbnailPath(file.key)] : [])]);
  if (file.thumbnail?.status !== 'pending') return deleteRecord(key);
  const changes = { nextSweepAt: thumbnailEnd(), 'thumbnail.status': 'failed' } as const;
  await StoredFile.updateOne({ ...key, status: 'deleting' }, { $set: changes });
};

/** Marks the files of a closed account for deletion, in the caller's transaction; the sweep deletes them. */
export const markAccountFiles = async (id: string, session: ClientSession): Promise<void> => {
  const files = { id_project: NO_PROJECT, createdBy: id, status: 'stored' as const };
  await StoredFile.updateMany(files, { $set: { status: 'deleting', nextSweepAt: currentTime() } }, { session });
};

/**
 * Removes a stored file and its thumbnail. Returns false if the file does not exist. Rejects if a storage is
 * unavailable.
 */
export const removeFile = async (key: FileKey): Promise<boolean> => {
  if (!(await inTransaction((session) => markDeleting({ ...key }, session)))) return false;
  await finishRemoval(key);
  return true;
};

interface DueFile {
  _id: unknown;
  id_project: string;
  status: string;
  expiresAt?: Date | null;
  thumbnail?: { status: string } | null;
  failedSweeps?: number | null;
}

/** Enqueues the thumbnail job again if it was lost, and sets the time of the next sweep. */
const resumeStored = async (key: FileKey, { expiresAt, thumbnail }: DueFile): Promise<void> => {
  const times = expiresAt ? [expiresAt] : [];
  if (thumbnail?.status === 'pending') {
    await enqueue('files.make-thumbnail', { id_project: key.id_project, file: key._id });
    times.push(thumbnailEnd());
  }
  const nextSweepAt = times.toSorted((one, other) => +one - +other)[0];
  const filter = { ...key, status: 'stored' as const };
  await StoredFile.updateOne(filter, nextSweepAt ? { $set: { nextSweepAt } } : { $unset: { nextSweepAt: 1 } });
};

const sweepFile = async (file: DueFile): Promise<void> => {
  const { id_project, status, expiresAt } = file;
  const key = { _id: String(file._id), id_project };
  if (status === 'stored' && expiresAt && expiresAt <= currentTime()) return void (await removeFile(key));
  if (status === 'stored') return resumeStored(key, file);
  // The record is `pending` or `deleting`. If it is `pending`, its lease was not renewed: the process of the upload is
  // dead.
  const abandoned = { ...key, status: 'pending' as const, nextSweepAt: { $lte: currentTime() } };
  await StoredFile.updateOne(abandoned, { $set: { status: 'deleting' } });
  await finishRemoval(key);
};

/** Sets a later time for the next sweep of a file whose sweep has failed, so that it does not keep others waiting. */
const postpone = async ({ _id, id_project, failedSweeps }: DueFile, error: unknown): Promise<void> => {
  const failures = (failedSweeps ?? 0) + 1;
  const nextSweepAt = new Date(currentTimeMs() + backoffMs(failures, RETRY_DELAYS));
  logger.warn({ file: String(_id), nextSweepAt, err: (error as Error).message }, 'sweeping a file failed');
  const stillDue = { _id: String(_id), id_project, nextSweepAt: { $lte: currentTime() } };
  await StoredFile.updateOne(stillDue, { $set: { nextSweepAt, failedSweeps: failures } });
};

/**
 * Sweeps a file, and resets its number of failed sweeps. If the sweep fails, the file is due again later. Returns the
 * milliseconds that the failed sweep took, or null if the sweep succeeded.
 */
const trySweep = async (file: DueFile): Promise<number | null> => {
  const start = performance.now();
  try {
    await sweepFile(file);
    const key = { _id: String(file._id), id_project: file.id_project };
    if (file.failedSweeps) await StoredFile.updateOne(key, { $unset: { failedSweeps: 1 } });
    return null;
  } catch (error) {
    await postpone(file, error);
    return performance.now() - start;
  }
};

/**
 * Handles the due files, in the order in which they became due. A file that cannot be handled is due again later. Stops
 * when such files have taken `maxFailingMs`, or after a batch in which no file can be handled, because the storage is
 * probably down; the next sweep continues.
 */
export const sweepFiles = async (isStopped: () => boolean, maxFailingMs = MAX_FAILING_MS): Promise<void> => {
  let failingMs = 0;
  for (;;) {
    const due = await StoredFile.find(
      { nextSweepAt: { $lte: currentTime() } },
      { id_project: 1, status: 1, expiresAt: 1, 'thumbnail.status': 1, failedSweeps: 1 },
      { anyProject: true },
    )
      .sort({ nextSweepAt: 1 })
      .limit(BATCH_SIZE)
      .lean();
    let handled = 0;
    for (const file of due) {
      if (isStopped()) return;
      const failedMs = await trySweep(file);
      if (failedMs === null) handled += 1;
      else failingMs += failedMs;
      if (failingMs > maxFailingMs) return;
    }
    if (due.length < BATCH_SIZE || !handled) return;
  }
};
