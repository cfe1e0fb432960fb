/** Reads a file of the imported database (the source) into a temporary folder, and checks it like an upload. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertContent } from '../files/content-check.ts';
import type { Source } from '../../database/source-database.ts';

/** A file that was read. */
interface LocalFile {
  path: string;
  size: number;
  /** SHA-256 of the bytes, as hexadecimal digits. */
  hash: string;
}

/** A file of the source: its bucket, its id there, and its media type. */
interface SourceFile {
  bucket: string;
  file: unknown;
  type: string;
}

/** Reads a file into the folder. Errors: 403 if its content does not match its media type. */
export const readSourceFile = async (
  source: Source,
  { bucket, file, type }: SourceFile,
  folder: string,
): Promise<LocalFile> => {
  const path = join(folder, 'file');
  const digest = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(source.openFile(bucket, file), measure, createWriteStream(path));
  await assertContent({ path, size, type });
  return { path, size, hash: digest.digest('hex') };
};
