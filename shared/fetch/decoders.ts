import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { badEncoding } from './errors.ts';

/** Makes the decoder of a body that starts with this byte. */
export type MakeDecoder = (firstByte: number) => Transform;

const options = { chunkSize: 65_536 };
const ZLIB_METHOD = 8;

/** "deflate" is zlib by the standard and bare deflate from some servers; the first byte tells. */
const inflateAny: MakeDecoder = (firstByte) =>
  firstByte % 16 === ZLIB_METHOD ? createInflate(options) : createInflateRaw(options);

const decoders = new Map<string, MakeDecoder>([
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  ['deflate', inflateAny],
  ['br', () => createBrotliDecompress(options)],
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
  const make = decoders.get(name);
  if (!make) throw badEncoding(`The page comes in the unknown encoding "${name.slice(0, 40)}".`);
  return make;
};
