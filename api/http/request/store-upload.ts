/** Writes an upload to a local file. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppError } from '#shared/errors.ts';
import type { Upload } from './accepted-upload.ts';

/** The limit of an upload in bytes, the error for an upload above it, and a signal that ends the upload. */
interface StoreOptions {
  maxBytes: number;
  createSizeError: (maxBytes: number) => AppError;
  signal?: AbortSignal;
}

/** Writes the pieces of an upload to `path`. Throws a size error above the limit, and the errors of source and disk. */
export const storeUpload = async (
  source: Readable | AsyncIterable<Buffer>,
  path: string,
  { maxBytes, createSizeError, signal }: StoreOptions,
): Promise<Upload> => {
  const hash = createHash('sha256');
  let size = 0;
  const measure = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw createSizeError(maxBytes);
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(source, measure, createWriteStream(path), { signal });
  return { path, size, hash: hash.digest('hex'), fields: {}, pieces: () => createReadStream(path) };
};
