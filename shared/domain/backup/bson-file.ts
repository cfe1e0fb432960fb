/** Compressed files of BSON documents: written with their hashes, and read document by document. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';

const HASH = 'sha256';
const LENGTH_BYTES = 4;
/** The size of an empty document, and a size that no document exceeds (the maximum in MongoDB is 16 MiB). */
const MIN_DOCUMENT_BYTES = 5;
const MAX_DOCUMENT_BYTES = 17 * 1024 * 1024;

/** The ways to compress a file, by the extension of its name. */
const COMPRESSIONS = {
  zst: { compress: () => createZstdCompress(), decompress: () => createZstdDecompress() },
  gz: { compress: () => createGzip({ level: 3 }), decompress: () => createGunzip() },
};

/** The extension of a compressed file. */
export type Compression = keyof typeof COMPRESSIONS;

/** Returns the best compression that this version of Node.js supports. */
export const bestCompression = (): Compression => (typeof createZstdCompress === 'function' ? 'zst' : 'gz');

/** What `writeBsonFile` has written: the number of documents, and the sizes and hashes before and after compression. */
export interface WrittenFile {
  documents: number;
  /** The number of uncompressed bytes, and their hash. */
  bytes: number;
  hash: string;
  fileBytes: number;
  fileHash: string;
}

/** Waits until the bytes of a file are on the disk. */
export const syncFile = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r+');
  await handle.sync();
};

/** Passes a stream of bytes on, and adds the bytes to the size and the hash in `total`. */
const hashed = (total: { size: number; hash: ReturnType<typeof createHash> }) =>
  async function* pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      total.size += chunk.length;
      total.hash.update(chunk);
      yield chunk;
    }
  };

const newTotal = () => ({ size: 0, hash: createHash(HASH) });

/** Writes documents to a compressed file. `onDocument` is called for each document. */
export const writeBsonFile = async (
  path: string,
  documents: AsyncIterable<Uint8Array>,
  { compression, onDocument }: { compression: Compression; onDocument(bson: Uint8Array): void },
): Promise<WrittenFile> => {
  const [plain, compressed] = [newTotal(), newTotal()];
  let count = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for await (const bson of documents) {
      count += 1;
      onDocument(bson);
      yield bson;
    }
  }
  const compress = COMPRESSIONS[compression].compress();
  await pipeline(source, hashed(plain), compress, hashed(compressed), createWriteStream(path));
  await syncFile(path);
  return {
    documents: count,
    ...{ bytes: plain.size, hash: plain.hash.digest('hex') },
    ...{ fileBytes: compressed.size, fileHash: compressed.hash.digest('hex') },
  };
};

/** Hashes documents as `writeBsonFile` does. */
export const hashDocuments = async (documents: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash(HASH);
  for await (const bson of documents) hash.update(bson);
  return hash.digest('hex');
};

/** Returns the size and hash of a stream of bytes. */
export const digestOf = async (chunks: AsyncIterable<Uint8Array>): Promise<{ size: number; hash: string }> => {
  const hash = createHash(HASH);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, hash: hash.digest('hex') };
};

/** Splits a stream of bytes into BSON documents. Each document begins with its length. */
async function* splitDocuments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let [available, needed] = [0, LENGTH_BYTES];
  for await (const chunk of chunks) {
    parts.push(chunk);
    available += chunk.length;
    if (available < needed) continue;
    rest = Buffer.concat(parts);
    while (rest.length >= LENGTH_BYTES) {
      needed = rest.readInt32LE();
      if (needed < MIN_DOCUMENT_BYTES || needed > MAX_DOCUMENT_BYTES) throw new Error('the file is not valid BSON');
      if (rest.length < needed) break;
      yield rest.subarray(0, needed);
      rest = rest.subarray(needed);
    }
    if (rest.length < LENGTH_BYTES) needed = LENGTH_BYTES;
    [parts, available] = [[rest], rest.length];
  }
  if (available) throw new Error('the file ends within a document');
}

/** Reads the documents of a compressed file. Throws if it is damaged. */
export const readBsonFile = (path: string, compression: Compression): AsyncIterable<Buffer> => {
  const source = createReadStream(path);
  const decompressed = COMPRESSIONS[compression].decompress();
  source.on('error', (error) => decompressed.destroy(error));
  return splitDocuments(source.pipe(decompressed));
};
