/**
 * Reads stored files by path. No credentials are needed, because most paths contain a UUID that cannot be guessed.
 * Exceptions are avatars, and images that legacy clients (see api/files/legacy-endpoints.ts) store by file name.
 */
import type { Readable } from 'node:stream';
import { AppError, notFound } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { StoredFile } from '../../models/stored-file.ts';
import type { ByteRange } from '../../storage/file-storage.ts';
import { openStoredBytes } from '../../storage/storages.ts';
import { currentTime } from '../../time/clock.ts';
import { originalPath, requestedPath, thumbnailPath } from './file-names.ts';
import { waitForThumbnail } from './thumbnails.ts';

/** Builds the 404 for a path that no readable file has. */
export const fileNotFound = () => notFound('File not found.');

/** A file or thumbnail that can be read. */
export interface ReadableFile {
  name: string;
  type: string;
  size: number;
  hash: string;
  modifiedAt: Date;
  /** Opens the bytes, or a part of them. Throws 404 if no storage has them, 500 if they cannot be read. */
  open(range?: ByteRange): Promise<Readable>;
}

/** The record of a stored, readable file. */
export type FoundFile = Awaited<ReturnType<typeof findStored>> & object;

const findStored = (path: string) =>
  StoredFile.findOne({ path, status: 'stored' }, { nextSweepAt: 0 }, { anyProject: true }).lean();

const isExpired = ({ expiresAt }: { expiresAt?: Date | null }): boolean =>
  expiresAt instanceof Date && expiresAt <= currentTime();

/** Returns the stored file with this path; null if there is none or it has expired. */
export const findFile = async (requested: string): Promise<FoundFile | null> => {
  const path = requestedPath(requested);
  const file = path === null ? null : await findStored(path);
  return file && !isExpired(file) ? file : null;
};

/** Returns a function that logs why a file cannot be read, and throws 500. */
const throwUnreadable = (file: object) => (error: unknown) => {
  logger.error({ ...file, err: error }, 'reading a file failed');
  throw new AppError(500, 'STORAGE_ERROR', 'Error getting file.');
};

const openBytes = async (key: string, range?: ByteRange): Promise<Readable> => {
  const bytes = await openStoredBytes(key, range).catch(throwUnreadable({ key }));
  if (!bytes) throw fileNotFound();
  return bytes;
};

const readable = ({ key, name, type, size, hash, updatedAt }: FoundFile): ReadableFile => ({
  ...{ name, type, size, hash, modifiedAt: updatedAt },
  open: (range) => openBytes(key, range),
});

/** Returns the thumbnail with this path, which is generated first if necessary; null if there is none. */
const readThumbnail = async (path: string): Promise<ReadableFile | null> => {
  const original = originalPath(requestedPath(path) ?? '');
  let file = original === null ? null : await findFile(original);
  if (file?.thumbnail?.status === 'pending' && original !== null) {
    const key = { _id: String(file._id), id_project: file.id_project };
    await waitForThumbnail(key).catch(throwUnreadable({ key: thumbnailPath(file.key) }));
    file = await findFile(original);
  }
  if (file?.thumbnail?.status !== 'stored') return null;
  const { size, hash } = file.thumbnail;
  const key = thumbnailPath(file.key);
  return { ...readable({ ...file, key, size: size ?? 0, hash: hash ?? '' }), name: thumbnailPath(file.name) };
};

/**
 * Returns the file or thumbnail with this path. Errors: 404 for a path that no readable file has, 500 for a thumbnail
 * that cannot be generated.
 */
export const readFile = async (path: string): Promise<ReadableFile> => {
  const file = await findFile(path);
  const found = file ? readable(file) : await readThumbnail(path);
  if (!found) throw fileNotFound();
  return found;
};
