/** Verifies a backup, and compares the running database and the stored files with it. */
import { join } from 'node:path';
import { openStoredBytes } from '../../storage/storages.ts';
import { digestOf, readBsonFile } from './bson-file.ts';
import { type Differences, findDifferences, isUnchanged } from './compare-collection.ts';
import { readFileList } from './file-list.ts';
import { type CollectionEntry, FILE_LIST, type Manifest, readManifest } from './manifest.ts';
import type { OnProgress } from './progress.ts';
import { findDamagedParts, type Problem } from './verify-folder.ts';

/** The comparison of one collection; `differences` is null if the counts and hashes match. */
export interface CollectionResult {
  name: string;
  documents: number;
  differences: Differences | null;
}

/** The result of a verification. */
export interface Verification {
  manifest: Manifest;
  /** Files of the backup that are missing or damaged. */
  damaged: Problem[];
  /** Empty if only the backup was verified. */
  collections: CollectionResult[];
  /** Stored files that are missing or damaged, by their storage keys. */
  files: Problem[];
  /** Whether there is no problem, and no difference except `expired` and `adapted` documents (see `Differences`). */
  isEqual: boolean;
}

const compareCollection = async (
  folder: string,
  { compression }: Manifest,
  entry: CollectionEntry,
): Promise<CollectionResult> => {
  const { name, documents } = entry;
  if (await isUnchanged(entry)) return { name, documents, differences: null };
  const backup = readBsonFile(join(folder, entry.file), compression);
  return { name, documents, differences: await findDifferences(entry, backup) };
};

const compareCollections = async (
  folder: string,
  { manifest, damaged, onProgress }: { manifest: Manifest; damaged: Problem[]; onProgress: OnProgress },
): Promise<CollectionResult[]> => {
  const readable = manifest.collections.filter(({ file }) => !damaged.some(({ name }) => name === file));
  const total = readable.reduce((sum, { documents }) => sum + documents, 0);
  let done = 0;
  const results: CollectionResult[] = [];
  for (const entry of readable) {
    results.push(await compareCollection(folder, manifest, entry));
    onProgress('Documents', { done: (done += entry.documents), total });
  }
  return results;
};

const compareFiles = async (folder: string, { files }: Manifest, onProgress: OnProgress): Promise<Problem[]> => {
  let done = 0;
  const problems: Problem[] = [];
  for await (const { key, hash } of readFileList(folder)) {
    const stored = await openStoredBytes(key);
    if (!stored) problems.push({ name: key, problem: 'it is in no storage' });
    else if ((await digestOf(stored)).hash !== hash)
      problems.push({ name: key, problem: 'its bytes differ from those in the backup' });
    onProgress('Files', { done: (done += 1), total: files.count });
  }
  return problems;
};

const isEqualTo = ({ differences }: CollectionResult): boolean =>
  !differences || !(differences.missing || differences.added || differences.changed);

/**
 * Verifies the hashes of a backup and, unless `backupOnly`, compares the counts and hashes of the running database and
 * of the stored files with those in the backup.
 */
export const verifyBackup = async (
  folder: string,
  { backupOnly, onProgress }: { backupOnly: boolean; onProgress: OnProgress },
): Promise<Verification> => {
  const manifest = await readManifest(folder);
  const damaged = await findDamagedParts(folder, manifest, onProgress);
  const collections = backupOnly ? [] : await compareCollections(folder, { manifest, damaged, onProgress });
  const hasList = damaged.every(({ name }) => name !== FILE_LIST);
  const files = backupOnly || !hasList ? [] : await compareFiles(folder, manifest, onProgress);
  const isEqual = !damaged.length && !files.length && collections.every(isEqualTo);
  return { manifest, damaged, collections, files, isEqual };
};
