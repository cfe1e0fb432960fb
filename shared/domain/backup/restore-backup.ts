/**
 * Restores a backup: the collections with their indexes, then the bytes of the files. A record in the database lists
 * the restored collections, so that an interrupted restore can be continued. No API or worker process may run during a
 * restore.
 */
import { copyFile as copyLocalFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countAll,
  createCollection,
  createIndexes,
  dropCollection,
  insertBson,
  listCollections,
  putById,
  readById,
  setInAll,
} from '../../database/collection-documents.ts';
import { AppError } from '../../errors.ts';
import { secretsKeyId } from '../../security/secrets.ts';
import { withTemporaryFolder } from '../../storage/incoming.ts';
import { openStoredBytes, primaryStorage } from '../../storage/storages.ts';
import { inBatches } from './batches.ts';
import { digestOf, readBsonFile } from './bson-file.ts';
import { readFileList } from './file-list.ts';
import { type CollectionEntry, type FileEntry, type Manifest, readManifest } from './manifest.ts';
import type { OnProgress } from './progress.ts';
import { findDamagedParts } from './verify-folder.ts';

/** The collection with the progress of a restore; dropped at the end. */
const PROGRESS = 'restore_progress';
const PROGRESS_ID = 'restore';

interface Progress {
  backup: string;
  /** The collections that are complete. */
  done: string[];
}

const readProgress = async (): Promise<Progress | null> =>
  (await readById(PROGRESS, PROGRESS_ID)) as unknown as Progress | null;

const writeProgress = (progress: Progress): Promise<void> => putById(PROGRESS, PROGRESS_ID, { ...progress });

const assertEmpty = async (name: string): Promise<void> => {
  if (!(await countAll(name))) return;
  throw new AppError(
    409,
    'DATABASE_NOT_EMPTY',
    `The collection ${name} of the database has documents. Restore into an empty database (MONGODB_URI), or ` +
      'use --force, which deletes everything in this database first.',
  );
};

/** Drops all collections. If one of them has documents, drops none and throws 409, unless `isForced` is true. */
const emptyDatabase = async (isForced: boolean): Promise<void> => {
  const collections = await listCollections();
  if (!isForced) for (const { name } of collections) await assertEmpty(name);
  for (const { name } of collections) await dropCollection(name);
};

/** Returns the collections that are complete. Empties the database, unless a restore of this backup was interrupted. */
const startOrContinue = async ({ id }: Manifest, isForced: boolean): Promise<Progress> => {
  const progress = await readProgress();
  if (progress?.backup === id) return progress;
  await emptyDatabase(isForced || progress !== null);
  const started = { backup: id, done: [] };
  await writeProgress(started);
  return started;
};

const restoreCollection = async (
  folder: string,
  { compression }: Manifest,
  { entry, onDocuments }: { entry: CollectionEntry; onDocuments(count: number): void },
): Promise<void> => {
  await dropCollection(entry.name);
  await createCollection(entry);
  for await (const batch of inBatches(readBsonFile(join(folder, entry.file), compression))) {
    await insertBson(entry.name, batch);
    onDocuments(batch.length);
  }
  await createIndexes(entry);
};

const restoreCollections = async (
  folder: string,
  { manifest, isForced, onProgress }: { manifest: Manifest; isForced: boolean; onProgress: OnProgress },
): Promise<void> => {
  const progress = await startOrContinue(manifest, isForced);
  const total = manifest.collections.reduce((sum, { documents }) => sum + documents, 0);
  let done = 0;
  const onDocuments = (count: number) => onProgress('Documents', { done: (done += count), total });
  for (const entry of manifest.collections) {
    if (progress.done.includes(entry.name)) onDocuments(entry.documents);
    else await restoreCollection(folder, manifest, { entry, onDocuments });
    progress.done = [...new Set([...progress.done, entry.name])];
    await writeProgress(progress);
  }
};

const isStored = async ({ key, hash }: FileEntry): Promise<boolean> => {
  const stored = await openStoredBytes(key);
  return stored !== null && (await digestOf(stored)).hash === hash;
};

/**
 * Puts a file into the primary storage, unless a storage has it with the same bytes. The primary storage may move the
 * file that it is given, so it is given a copy.
 */
const restoreFile = async (folder: string, file: FileEntry): Promise<void> => {
  if (await isStored(file)) return;
  await withTemporaryFolder(async (temporary) => {
    const path = join(temporary, 'file');
    await copyLocalFile(join(folder, file.path), path);
    await primaryStorage.put(file.key, { ...file, path });
  });
};

const restoreFiles = async (folder: string, { files }: Manifest, onProgress: OnProgress): Promise<void> => {
  let done = 0;
  for await (const file of readFileList(folder)) {
    await restoreFile(folder, file);
    onProgress('Files', { done: (done += 1), total: files.count });
  }
};

/**
 * Adapts the restored records to this database. Removes the relay's position, because the oplog contains the writes of
 * the restore instead of the original ones. The relay then appends a gap to the changes log (a mark after which clients
 * list their records again), and relays the last events of each recently changed record, unless the log contains them.
 * Also marks every namespace as not indexed, so that it will be indexed again.
 */
const adaptRecords = async (): Promise<void> => {
  await setInAll('relays', { $set: { leaseUntil: new Date(0) }, $unset: { token: 1, startTime: 1 } });
  await setInAll('kb_namespaces', { $set: { indexId: '' }, $unset: { copies: 1 } });
};

/** What was restored. */
export interface RestoredBackup {
  manifest: Manifest;
  /** Whether this instance can decrypt the stored passwords and keys of other systems. */
  hasSecretsKey: boolean;
}

/**
 * Restores a backup into an empty database, or into any database if `isForced`. A repeated call continues
 * an interrupted restore.
 * Errors: 409 for a database with documents, 422 for a damaged backup.
 */
export const restoreBackup = async (
  folder: string,
  { isForced, onProgress }: { isForced: boolean; onProgress: OnProgress },
): Promise<RestoredBackup> => {
  const manifest = await readManifest(folder);
  const [damaged] = await findDamagedParts(folder, manifest, onProgress);
  if (damaged)
    throw new AppError(422, 'BACKUP_DAMAGED', `${damaged.name} is damaged: ${damaged.problem}. Use another backup.`);
  await restoreCollections(folder, { manifest, isForced, onProgress });
  await restoreFiles(folder, manifest, onProgress);
  await adaptRecords();
  await dropCollection(PROGRESS);
  return { manifest, hasSecretsKey: manifest.secretsKey === secretsKeyId() };
};
