/**
 * Creates a backup: every collection as a compressed file of BSON documents, all read at one cluster time, then the
 * bytes of the stored files. The chunk index is left out, because it can be rebuilt from MongoDB, which also stores the
 * vectors.
 */
import { join } from 'node:path';
import mongoose, { type ClientSession, mongo } from 'mongoose';
import { ulid } from 'ulid';
import {
  type CollectionDefinition,
  countAll,
  describeDatabase,
  listCollections,
  readBson,
} from '../../database/collection-documents.ts';
import { AppError } from '../../errors.ts';
import { secretsKeyId } from '../../security/secrets.ts';
import { currentTime } from '../../time/clock.ts';
import { COLLECTIONS_FOLDER, prepareFolder } from './backup-folder.ts';
import { bestCompression, type Compression, readBsonFile, writeBsonFile } from './bson-file.ts';
import { copyFiles, type FileRecord } from './copy-files.ts';
import { type CollectionEntry, FORMAT, type Manifest, writeManifest } from './manifest.ts';
import type { OnProgress } from './progress.ts';

/** The collection of file records. */
const FILE_RECORDS = 'files';

/** The codes of MongoDB's SnapshotTooOld and SnapshotUnavailable errors. */
const SNAPSHOT_ERRORS = new Set([239, 246]);

export interface BackupOptions {
  /** Whether all documents are read at one cluster time. */
  snapshot: boolean;
  onProgress: OnProgress;
}

/** A finished backup, and the storage keys of files whose bytes do not match the hash in their record. */
export interface CreatedBackup {
  manifest: Manifest;
  damaged: string[];
}

interface CopyOptions {
  folder: string;
  compression: Compression;
  session?: ClientSession;
}

const fileOf = (name: string, compression: Compression): string =>
  `${COLLECTIONS_FOLDER}/${encodeURIComponent(name)}.bson.${compression}`;

const copyCollection = async (
  definition: CollectionDefinition,
  { folder, compression, session }: CopyOptions,
  onDocument: () => void,
): Promise<CollectionEntry> => {
  const { name } = definition;
  const file = fileOf(name, compression);
  const written = await writeBsonFile(join(folder, file), readBson(name, session), { compression, onDocument });
  return { ...definition, ...written, file };
};

const snapshotLost = (code: unknown) =>
  new AppError(
    503,
    'SNAPSHOT_LOST',
    `MongoDB no longer has the snapshot of this backup (error ${String(code)}). Set MongoDB's parameter ` +
      'minSnapshotHistoryWindowInSeconds (default 300) to more than the duration of the backup and run the command ' +
      'again, or stop the API and the workers and use --no-snapshot.',
  );

const explainSnapshotError = (error: unknown): never => {
  if (error instanceof mongo.MongoServerError && SNAPSHOT_ERRORS.has(Number(error.code)))
    throw snapshotLost(error.code);
  throw error;
};

const copyCollections = async (
  definitions: CollectionDefinition[],
  options: CopyOptions,
  onProgress: OnProgress,
): Promise<CollectionEntry[]> => {
  const counts = await Promise.all(definitions.map(({ name }) => countAll(name)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  const entries: CollectionEntry[] = [];
  for (const definition of definitions) {
    const countDocument = () => onProgress('Documents', { done: Math.min((done += 1), total), total });
    entries.push(await copyCollection(definition, options, countDocument));
  }
  onProgress('Documents', { done: total, total });
  return entries;
};

/** Reads the file records from the backup itself, so that the files match the records. */
async function* fileRecords(folder: string, entry: CollectionEntry, compression: Compression) {
  for await (const bson of readBsonFile(join(folder, entry.file), compression))
    yield mongo.BSON.deserialize(bson) as unknown as FileRecord;
}

const copyStoredFiles = (
  folder: string,
  entries: CollectionEntry[],
  {
    compression,
    onProgress,
  }: {
    compression: Compression;
    onProgress: OnProgress;
  },
) => {
  const entry = entries.find(({ name }) => name === FILE_RECORDS);
  const total = entry?.documents ?? 0;
  let done = 0;
  const countRecord = () => onProgress('Files', { done: (done += 1), total });
  return copyFiles(folder, entry ? fileRecords(folder, entry, compression) : [], countRecord);
};

/** Runs `work` in a session whose reads all see one cluster time, or without a session. */
const withSnapshot = async <T>(isUsed: boolean, work: (session?: ClientSession) => Promise<T>): Promise<T> => {
  if (!isUsed) return work();
  await using session = mongoose.connection.getClient().startSession({ snapshot: true });
  return await work(session).catch(explainSnapshotError);
};

/**
 * Returns the cluster time of a snapshot. The driver sets it at the first read, but does not declare it in its types.
 */
const snapshotTimeOf = (session?: ClientSession): { t: number } | undefined =>
  (session as { snapshotTime?: { t: number } } | undefined)?.snapshotTime;

/**
 * Creates a backup in a new or empty folder, or in one in which a backup was interrupted. Errors: 409 for any other
 * folder, 503 if MongoDB has dropped the snapshot because the backup took too long.
 */
export const createBackup = async (folder: string, { snapshot, onProgress }: BackupOptions): Promise<CreatedBackup> => {
  await prepareFolder(folder);
  const [createdAt, compression] = [currentTime().toISOString(), bestCompression()];
  const definitions = await listCollections();
  const { collections, time } = await withSnapshot(snapshot, async (session) => ({
    collections: await copyCollections(definitions, { folder, compression, session }, onProgress),
    time: snapshotTimeOf(session),
  }));
  const { files, damaged } = await copyStoredFiles(folder, collections, { compression, onProgress });
  const manifest: Manifest = {
    ...{ format: FORMAT, id: ulid(), createdAt, finishedAt: currentTime().toISOString() },
    ...(await describeDatabase()),
    snapshot: time ? new Date(time.t * 1000).toISOString() : null,
    ...{ compression, secretsKey: secretsKeyId(), collections, files },
  };
  await writeManifest(folder, manifest);
  return { manifest, damaged };
};
