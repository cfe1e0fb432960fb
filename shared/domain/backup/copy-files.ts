/** Copies the bytes of stored files and their thumbnails into a backup, and lists them with their hashes. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openStoredBytes } from '../../storage/storages.ts';
import { thumbnailPath } from '../files/file-names.ts';
import { digestOf, syncFile } from './bson-file.ts';
import { FILE_LIST, type FileEntry, type Manifest } from './manifest.ts';
import { FILES_FOLDER } from './backup-folder.ts';

/** The fields of a file record that a backup uses. */
export interface FileRecord {
  _id: unknown;
  status: string;
  key: string;
  type: string;
  hash: string;
  thumbnail?: { status: string; hash?: string } | null;
}

interface Source {
  key: string;
  type: string;
  path: string;
  /** The hash in the record of the file; absent for thumbnails of old records. */
  expectedHash?: string;
}

/**
 * Returns the files to copy for a record: the file and its thumbnail. Their folder in the backup has the last two
 * characters of the record's id as its name.
 */
const sourcesOf = ({ _id, status, key, type, hash, thumbnail }: FileRecord): Source[] => {
  if (status !== 'stored') return [];
  const path = `${FILES_FOLDER}/${String(_id).slice(-2)}/${String(_id)}`;
  return [
    { key, type, path, expectedHash: hash },
    ...(thumbnail?.status === 'stored'
      ? [{ key: thumbnailPath(key), type, path: `${path}.thumbnail`, expectedHash: thumbnail.hash }]
      : []),
  ];
};

/** Copies a file and returns its entry; null if no storage has it. */
const copyFile = async (folder: string, { key, type, path }: Source): Promise<FileEntry | null> => {
  const bytes = await openStoredBytes(key);
  if (!bytes) return null;
  const target = join(folder, path);
  await mkdir(join(target, '..'), { recursive: true });
  let size = 0;
  const hash = createHash('sha256');
  await pipeline(
    bytes,
    async function* digest(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(target),
  );
  await syncFile(target);
  return { key, type, size, hash: hash.digest('hex'), path };
};

/**
 * Copies the files of the records. The result names the files whose bytes are missing or do not match the hash in their
 * record. Files that do not match are copied anyway.
 */
export const copyFiles = async (
  folder: string,
  records: AsyncIterable<FileRecord> | FileRecord[],
  onRecord: () => void,
): Promise<{ files: Manifest['files']; damaged: string[] }> => {
  const listPath = join(folder, FILE_LIST);
  await rm(listPath, { force: true });
  const [files, damaged] = [{ count: 0, bytes: 0, missing: [] as string[] }, [] as string[]];
  await using list = await open(listPath, 'wx');
  for await (const record of records) {
    for (const source of sourcesOf(record)) {
      const entry = await copyFile(folder, source);
      if (!entry) {
        files.missing.push(source.key);
        continue;
      }
      if (source.expectedHash && source.expectedHash !== entry.hash) damaged.push(source.key);
      await list.appendFile(`${JSON.stringify(entry)}\n`);
      files.count += 1;
      files.bytes += entry.size;
    }
    onRecord();
  }
  await list.sync();
  await using written = await open(listPath);
  const { hash } = await digestOf(written.createReadStream({ autoClose: false }));
  return { files: { ...files, listHash: hash }, damaged };
};
