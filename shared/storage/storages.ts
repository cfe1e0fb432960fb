/** The configured storages: new files go to the primary one, reads fall back to the second, and deletions use both. */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { config } from '../config.ts';
import { logger } from '../logger.ts';
import type { ByteRange, FileStorage } from './file-storage.ts';
import { LocalStorage } from './local-storage.ts';
import { openS3Storage } from './s3-storage.ts';

const S3_URL = /^s3:\/\//;

const openStorage = (address: string): FileStorage =>
  S3_URL.test(address) ? openS3Storage(address) : new LocalStorage(address);

/** The storage of new files. */
export const primaryStorage = openStorage(config.FILE_STORAGE ?? join(config.DATA_DIR, 'files'));

/** All storages, the primary storage first. */
export const storages: FileStorage[] = [
  primaryStorage,
  ...(config.FILE_STORAGE_FALLBACK ? [openStorage(config.FILE_STORAGE_FALLBACK)] : []),
];

/**
 * Returns the first result that is not null, trying the storages in order. A storage that fails is skipped; if none has
 * a result, the first failure is thrown.
 */
const firstResult = async <T>(read: (storage: FileStorage) => Promise<T | null>): Promise<T | null> => {
  const failures: unknown[] = [];
  for (const storage of storages) {
    try {
      const result = await read(storage);
      if (result !== null) return result;
    } catch (error) {
      logger.warn({ storage: storage.name, err: (error as Error).message }, 'file storage unavailable');
      failures.push(error);
    }
  }
  if (failures.length) throw failures[0];
  return null;
};

/** Opens a file, or a part of it, in the first storage that has it; returns null if none has it. */
export const openStoredBytes = (key: string, range?: ByteRange): Promise<Readable | null> =>
  firstResult((storage) => storage.open(key, range));

/** Returns the path of a file on this host; null if the file is in S3 or absent. */
export const findLocalPath = (key: string): Promise<string | null> => firstResult((storage) => storage.localPath(key));

/** Deletes files from every storage. Rejects if a storage is unavailable; the call can be repeated. */
export const deleteStoredBytes = async (keys: string[]): Promise<void> => {
  for (const storage of storages) for (const key of keys) await storage.delete(key);
};

/** Deletes all files whose keys begin with a prefix that ends in `/`, from every storage. */
export const deleteStoredPrefix = async (prefix: string): Promise<void> => {
  for (const storage of storages) for await (const { key } of storage.list(prefix)) await storage.delete(key);
};
