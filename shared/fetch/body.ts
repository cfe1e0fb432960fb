import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';
import { badEncoding, tooLarge } from './errors.ts';

/** The most bytes a body may have, on the wire and decoded; `cut` keeps the first of them instead of refusing. */
export type Cap = { maxBytes: number; cut: boolean };

const SEGMENT = 65_536;

/** Copies into segments: a body sent byte by byte would else keep millions of small objects. */
const segments = (limit: number) => {
  const full: Buffer[] = [];
  let last = Buffer.allocUnsafe(SEGMENT);
  let used = 0;
  let left = limit;
  const put = (bytes: Buffer) => {
    if (used === SEGMENT) {
      full.push(last);
      last = Buffer.allocUnsafe(SEGMENT);
      used = 0;
    }
    const copied = bytes.copy(last, used);
    used += copied;
    left -= copied;
    if (copied < bytes.length) put(bytes.subarray(copied));
  };
  return {
    /** Takes what fits and tells whether that was all. */
    take: (chunk: Buffer) => {
      const fits = chunk.length <= left;
      put(fits ? chunk : chunk.subarray(0, left));
      return fits;
    },
    all: () => Buffer.concat([...full, last.subarray(0, used)]),
  };
};

/** The body as sent, read no further than the cap. */
export const readCapped = (body: Readable, { maxBytes, cut }: Cap) =>
  new Promise<Buffer>((resolve, reject) => {
    const read = segments(maxBytes);
    body.on('error', reject);
    body.on('end', () => resolve(read.all()));
    body.on('data', (chunk: Buffer) => {
      if (read.take(chunk)) return;
      if (cut) resolve(read.all());
      else reject(tooLarge(maxBytes));
      body.destroy();
    });
  });

type Decode = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const plainInflate: Decode = promisify(inflate);
const rawInflate: Decode = promisify(inflateRaw);
const ZLIB_METHOD = 8;

/** "deflate" is zlib by the standard and bare deflate from some servers; the first byte tells. */
const inflateAny: Decode = (bytes, options) => {
  const wrapped = ((bytes as Buffer)[0] ?? 0) % 16 === ZLIB_METHOD;
  return wrapped ? plainInflate(bytes, options) : rawInflate(bytes, options);
};

const unzip: Decode = promisify(gunzip);
const decoders = new Map<string, Decode>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', inflateAny],
  ['br', promisify(brotliDecompress) as Decode],
]);

/** The decoder of a `content-encoding`, none for plain bodies; chains and unknown ones are refused before a byte is read. */
export const decoderOf = (contentEncoding = '') => {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const [name, ...more] = names.filter((each) => each && each !== 'identity');
  if (more.length > 0) throw badEncoding(`The page is encoded ${more.length + 1} times over.`);
  if (!name) return undefined;
  const decode = decoders.get(name);
  if (!decode) throw badEncoding(`The page comes in the unknown encoding "${name.slice(0, 40)}".`);
  return decode;
};

/** The decoded body; the decoder stops at the cap, so that a bomb costs no more than a page. */
export const decodeCapped = async (bytes: Buffer, decode: Decode | undefined, maxBytes: number) => {
  if (!decode || bytes.length === 0) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : badEncoding(`The page does not decode (${code}).`);
  }
};
