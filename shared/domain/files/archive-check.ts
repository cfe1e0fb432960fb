/** Checks ZIP archives, including office documents: a small file must not unpack to an enormous amount of data. */
import type { Readable } from 'node:stream';
import { open } from 'node:fs/promises';
import { AppError } from '../../errors.ts';

const MAX_ENTRIES = 5000;
const MAX_UNPACKED_BYTES = 200_000_000;
const ZIP_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06'];

const unsafeArchive = (reason: string) => new AppError(403, 'UNSAFE_ARCHIVE', `The archive ${reason}`);

const isArchive = async (path: string): Promise<boolean> => {
  await using handle = await open(path);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return ZIP_SIGNATURES.includes(buffer.toString('latin1'));
};

/** Returns `total` plus the unpacked bytes of a stream. Throws 403 as soon as there are too many. */
const unpackedBytes = async (stream: Readable, total: number): Promise<number> => {
  let bytes = total;
  for await (const piece of stream) {
    bytes += (piece as Buffer).length;
    if (bytes > MAX_UNPACKED_BYTES) throw unsafeArchive(`unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
  }
  return bytes;
};

/**
 * Throws 403 for a ZIP archive that has too many entries or unpacks to too many bytes, regardless of the sizes that it
 * declares. Does nothing for other files.
 */
export const assertSafeArchive = async ({ path }: { path: string }): Promise<void> => {
  if (!(await isArchive(path))) return;
  const { openPromise } = await import('yauzl');
  try {
    const archive = await openPromise(path, { lazyEntries: true, autoClose: false });
    if (archive.entryCount > MAX_ENTRIES) throw unsafeArchive(`has more than ${MAX_ENTRIES} entries`);
    let bytes = 0;
    try {
      for await (const entry of archive.eachEntry())
        if (!entry.fileName.endsWith('/'))
          bytes = await unpackedBytes(await archive.openReadStreamPromise(entry), bytes);
    } finally {
      archive.close();
    }
  } catch (error) {
    throw error instanceof AppError ? error : unsafeArchive('is damaged');
  }
};
