/**
 * Stores uploads. The record is inserted before the bytes are written: it is `pending`, under a lease that this process
 * renews. Once the bytes are written, the record becomes `stored` and its event is emitted. If the process is killed,
 * the lease expires and the sweep deletes the record and the bytes (see remove-file.ts).
 */
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { NO_PROJECT, StoredFile } from '../../models/stored-file.ts';
import { enqueue } from '../../queue/queue.ts';
import { diskFull, isDiskFull } from '../../storage/disk-full.ts';
import { deleteStoredBytes, primaryStorage } from '../../storage/storages.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { type FileKey, finishRemoval, markDeleting } from './remove-file.ts';
import { reserveBytes } from './usage.ts';

const LEASE_MS = config.LEASE_SECONDS * 1000;
const RENEWALS_PER_LEASE = 4;
/** The sweep enqueues the thumbnail job again if the thumbnail is still pending this long after the upload. */
const LOST_JOB_MS = 60_000;

/** A file to store: the fields of its record, and the local path of its bytes (`source`). */
export interface NewFile {
  id_project: string;
  kind: 'asset' | 'chat' | 'avatar' | 'account' | 'public';
  /** The path on the wire. A stored file with the same path is replaced. */
  path: string;
  /** The key in the storage, unique to this upload. */
  key: string;
  name: string;
  type: string;
  size: number;
  hash: string;
  hasThumbnail: boolean;
  expiresAt?: Date;
  createdBy: string;
  source: string;
}

/** Builds the 500 for an upload whose bytes cannot be stored. Deployed clients rely on the text. */
const storageError = (text: string) => new AppError(500, 'STORAGE_ERROR', text);

const leaseEnd = () => new Date(currentTimeMs() + LEASE_MS);

const pendingRecord = (_id: string, { hasThumbnail, ...fields }: Omit<NewFile, 'source'>) => ({
  _id,
  ...fields,
  status: 'pending' as const,
  ...(hasThumbnail && { thumbnail: { status: 'pending' as const } }),
  nextSweepAt: leaseEnd(),
});

/**
 * Inserts the pending record, and counts its bytes toward the owner's quota. A repeated call continues with the record
 * of the first call.
 */
const insertPending = async (_id: string, { source: _source, ...file }: NewFile): Promise<void> => {
  try {
    await inTransaction(async (session) => {
      await StoredFile.create([pendingRecord(_id, file)], { session });
      await reserveBytes(file, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
};

/** Runs `work` while the lease of a pending record is renewed; aborts `work` if the lease is lost. */
const underLease = async (file: FileKey, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const controller = new AbortController();
  const renew = async () => {
    const filter = { ...file, status: 'pending' as const };
    const { matchedCount } = await StoredFile.updateOne(filter, { $set: { nextSweepAt: leaseEnd() } });
    if (!matchedCount) controller.abort();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), LEASE_MS / RENEWALS_PER_LEASE);
  try {
    await work(controller.signal);
  } finally {
    clearInterval(timer);
  }
};

const sweepTime = ({ hasThumbnail, expiresAt }: NewFile): Date | undefined =>
  hasThumbnail ? new Date(currentTimeMs() + LOST_JOB_MS) : expiresAt;

/** Makes a pending file readable. Returns the id of the file that it replaces. Throws if the record was swept. */
const publish = (key: FileKey, file: NewFile): Promise<string | undefined> =>
  inTransaction(async (session) => {
    const replaced = await markDeleting({ id_project: key.id_project, path: file.path }, session);
    const nextSweepAt = sweepTime(file);
    const change = {
      $set: { status: 'stored' as const, ...(nextSweepAt && { nextSweepAt }) },
      ...(nextSweepAt ? {} : { $unset: { nextSweepAt: 1 } }),
    };
    const events = file.id_project === NO_PROJECT ? {} : emits('file.create');
    const filter = { ...key, status: 'pending' as const };
    const { matchedCount } = await StoredFile.updateOne(filter, change, { session, ...events });
    if (!matchedCount) throw new Error('the lease of the upload has ended');
    return replaced;
  });

/** Deletes the record and the bytes of a failed upload. If that fails too, the sweep deletes them. */
const discard = async (key: FileKey, file: NewFile): Promise<void> => {
  const filter = { ...key, status: 'pending' as const };
  await StoredFile.updateOne(filter, { $set: { status: 'deleting', nextSweepAt: currentTime() } });
  await deleteStoredBytes([file.key]);
  await finishRemoval(key);
};

/**
 * Returns whether the file is already stored, for example by an earlier call with the same `Idempotency-Key`, for which
 * `newId` returned the same id.
 */
const isStored = async (key: FileKey): Promise<boolean> =>
  (await StoredFile.exists({ ...key, status: 'stored' })) !== null;

/**
 * Stores a file and enqueues the job for its thumbnail. Errors: 403 if the owner's quota would be exceeded, 507 if the
 * disk is full, 500 with `failureText` if the storage is unavailable. A failed upload leaves nothing behind.
 */
export const storeFile = async (file: NewFile, failureText: string): Promise<void> => {
  const key = { _id: newId(), id_project: file.id_project };
  await insertPending(key._id, file);
  let replaced: string | undefined;
  try {
    await underLease(key, (signal) =>
      primaryStorage.put(file.key, { path: file.source, size: file.size, type: file.type }, signal),
    );
    replaced = await publish(key, file);
  } catch (error) {
    if (await isStored(key)) return;
    logger.error({ err: error, file: key._id }, 'storing an upload failed');
    await discard(key, file).catch(() => undefined);
    throw isDiskFull(error) ? diskFull() : storageError(failureText);
  }
  if (file.hasThumbnail) await enqueue('files.make-thumbnail', { id_project: key.id_project, file: key._id });
  if (replaced) await finishRemoval({ _id: replaced, id_project: key.id_project }).catch(() => undefined);
};
