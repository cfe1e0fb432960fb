/** Writes an upload to a local file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AppError } from '#shared/errors.ts';
import { freePiece } from '#shared/storage/free-pieces.ts';
import type { Upload } from './accepted-upload.ts';

/** The limit of an upload in bytes, the error for a larger upload, and a signal that ends the upload. */
interface StoreOptions {
  maxBytes: number;
  createSizeError: (maxBytes: number) => AppError;
  signal?: AbortSignal;
}

/**
 * Writes the pieces of an upload to `path`, and frees the memory of each piece. Throws the size error for an upload
 * larger than the limit, and the errors of the source and of the disk.
 */
export const storeUpload = async (
  source: Readable | AsyncIterable<Buffer>,
  path: string,
  { maxBytes, createSizeError, signal }: StoreOptions,
): Promise<Upload> => {
  const hash = createHash('sha256');
  let size = 0;
  const write = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    await using file = await open(path, 'w');
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw createSizeError(maxBytes);
      hash.update(piece);
      await file.writeFile(piece);
      freePiece(piece);
    }
  };
  await pipeline(source, write, { signal });
  return { path, size, hash: hash.digest('hex'), fields: {}, pieces: () => createReadStream(path) };
};
