/**
 * The manifest of a backup: what the folder contains, with counts and hashes. It is written last, so that a folder
 * without a manifest is an interrupted backup.
 */
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { syncFile } from './bson-file.ts';

const MANIFEST = 'manifest.json';
/** The version of the layout of the folder. */
export const FORMAT = 1;
/** The list of files, one line of JSON for each. */
export const FILE_LIST = 'files.ndjson';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A path inside the folder: no `..`, and no absolute path. */
const InnerPath = z.string().regex(/^(?!.*\.\.)[\w][\w./-]*$/);
const Count = z.number().int().nonnegative();
const AnyObject = z.record(z.string(), z.unknown());

const CollectionEntry = z.strictObject({
  name: z.string(),
  options: AnyObject,
  indexes: z.array(AnyObject),
  /** The number of documents, and the size and hash of their BSON, concatenated in the order of their ids. */
  documents: Count,
  bytes: Count,
  hash: Hash,
  file: InnerPath,
  fileBytes: Count,
  fileHash: Hash,
});
export type CollectionEntry = z.output<typeof CollectionEntry>;

const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  id: z.string(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  database: z.string(),
  /** Version of the MongoDB server. */
  server: z.string(),
  /** The cluster time at which all documents were read; null if they were read without a snapshot. */
  snapshot: z.string().nullable(),
  compression: z.enum(['zst', 'gz']),
  /** Identifies the key that encrypts stored secrets, without revealing it. */
  secretsKey: z.string(),
  collections: z.array(CollectionEntry),
  files: z.strictObject({ listHash: Hash, count: Count, bytes: Count, missing: z.array(z.string()) }),
});
export type Manifest = z.output<typeof Manifest>;

/** A stored file in the list: its storage key, and its bytes at `path` in the folder of the backup. */
export const FileEntry = z.strictObject({
  key: z.string(),
  type: z.string(),
  size: Count,
  hash: Hash,
  path: InnerPath,
});
export type FileEntry = z.output<typeof FileEntry>;

/** Writes the manifest as a whole or not at all. */
export const writeManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  const partial = join(folder, `${MANIFEST}.partial`);
  await writeFile(partial, `${mongo.BSON.EJSON.stringify(manifest, undefined, 1)}\n`);
  await syncFile(partial);
  await rename(partial, join(folder, MANIFEST));
  await using handle = await open(folder, 'r');
  await handle.sync();
};

const noBackup = (text: string) => new AppError(422, 'NO_BACKUP', text);

/** Reads the manifest of a backup. Errors: 422 for a folder without a complete and valid backup. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw noBackup(`${folder} contains no finished backup: ${MANIFEST} is missing. Run "backup create" again.`);
  });
  try {
    return Manifest.parse(mongo.BSON.EJSON.parse(text));
  } catch {
    throw noBackup(
      `${join(folder, MANIFEST)} is damaged, or was written by another version of this program. Use another backup.`,
    );
  }
};
