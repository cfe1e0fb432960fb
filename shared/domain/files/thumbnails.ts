/** Thumbnails: made by a job after the upload, or when one is read before that. */
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { runExclusive } from '../../concurrency/keyed-mutex.ts';
import { logger } from '../../logger.ts';
import { StoredFile } from '../../models/stored-file.ts';
import { withTemporaryFolder } from '../../storage/incoming.ts';
import { deleteStoredBytes, findLocalPath, openStoredBytes, primaryStorage } from '../../storage/storages.ts';
import { thumbnailPath } from './file-names.ts';
import { renderThumbnail } from './images.ts';
import { type FileKey, MAX_THUMBNAIL_MS } from './remove-file.ts';

/** Half of the time after which the removal of an image looks for a thumbnail that was stored meanwhile. */
const PUT_TIMEOUT_MS = MAX_THUMBNAIL_MS / 2;
/** How long a reader waits for the job. */
const WAIT_MS = 1500;
const POLL_MS = 50;

/** The image of a thumbnail. */
interface ImageFile {
  key: string;
  type: string;
  expiresAt?: Date | null;
}

/** Returns the path of the image on this host, copied into the folder if it is in S3; null if its bytes are missing. */
const localCopy = async (key: string, folder: string): Promise<string | null> => {
  const path = await findLocalPath(key);
  if (path) return path;
  const bytes = await openStoredBytes(key);
  if (!bytes) return null;
  const copy = join(folder, 'image');
  await pipeline(bytes, createWriteStream(copy));
  return copy;
};

/** Records the result. Returns false if the file was removed meanwhile. */
const recordResult = async (key: FileKey, thumbnail: object, expiresAt?: Date | null): Promise<boolean> => {
  const next = expiresAt
    ? { $set: { thumbnail, nextSweepAt: expiresAt } }
    : { $set: { thumbnail }, $unset: { nextSweepAt: 1 } };
  return (await StoredFile.updateOne({ ...key, status: 'stored' }, next)).matchedCount === 1;
};

/** Returns the thumbnail; null if the image cannot be decoded. */
const renderIfPossible = async (image: string): Promise<Buffer | null> => {
  try {
    return await renderThumbnail(image);
  } catch (error) {
    logger.info({ err: (error as Error).message }, 'no thumbnail: the image cannot be decoded');
    return null;
  }
};

const storeThumbnail = async (key: FileKey, { key: imageKey, type, expiresAt }: ImageFile): Promise<void> =>
  withTemporaryFolder(async (folder) => {
    const image = await localCopy(imageKey, folder);
    const bytes = image && (await renderIfPossible(image));
    if (!bytes) return void (await recordResult(key, { status: 'failed' }, expiresAt));
    const [path, size] = [join(folder, 'thumbnail'), bytes.length];
    await writeFile(path, bytes);
    const target = thumbnailPath(imageKey);
    await primaryStorage.put(target, { path, size, type }, AbortSignal.timeout(PUT_TIMEOUT_MS));
    const thumbnail = { status: 'stored', size, hash: hash('sha256', bytes) };
    if (!(await recordResult(key, thumbnail, expiresAt))) await deleteStoredBytes([target]);
  });

const pendingThumbnail = (key: FileKey) => ({ ...key, status: 'stored', 'thumbnail.status': 'pending' }) as const;

/** Makes the thumbnail of a file unless it exists. Rejects if a storage is unavailable; the call can be repeated. */
export const makeThumbnail = async (key: FileKey): Promise<void> => {
  const image = await StoredFile.findOne(pendingThumbnail(key), { key: 1, type: 1, expiresAt: 1 }).lean();
  if (image) await storeThumbnail(key, image);
};

const isPending = async (key: FileKey): Promise<boolean> => (await StoredFile.exists(pendingThumbnail(key))) !== null;

/** Waits 1.5 s for the job that makes a thumbnail, then makes it in this process, one at a time. */
export const waitForThumbnail = async (key: FileKey): Promise<void> => {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    if (!(await isPending(key))) return;
    await sleep(POLL_MS);
  }
  await runExclusive('thumbnail', () => makeThumbnail(key));
};
