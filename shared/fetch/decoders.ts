/** Decoders of content encodings. */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { encodingError } from './errors.ts';

/** Creates the decoder of a body, given its first byte. */
export type CreateDecoder = (firstByte: number) => Transform;

const DECODER_OPTIONS = { chunkSize: 65_536 };
const ZLIB_METHOD = 8;

/**
 * According to the standard, "deflate" is zlib, but some servers send raw deflate. The first byte shows which of the
 * two formats the body has.
 */
const createAnyInflate: CreateDecoder = (firstByte) =>
  firstByte % 16 === ZLIB_METHOD ? createInflate(DECODER_OPTIONS) : createInflateRaw(DECODER_OPTIONS);

const DECODERS = new Map<string, CreateDecoder>([
  ['gzip', () => createGunzip(DECODER_OPTIONS)],
  ['x-gzip', () => createGunzip(DECODER_OPTIONS)],
  ['deflate', createAnyInflate],
  ['br', () => createBrotliDecompress(DECODER_OPTIONS)],
]);

/**
 * Returns the decoder factory for a `content-encoding`; undefined for plain bodies. Throws BAD_ENCODING for unknown and
 * multiple encodings.
 */
export const decoderOf = (contentEncoding = '') => {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const [name, ...furtherNames] = names.filter((listed) => listed && listed !== 'identity');
  if (furtherNames.length > 0) throw encodingError(`The page has ${furtherNames.length + 1} content encodings.`);
  if (!name) return undefined;
  const createDecoder = DECODERS.get(name);
  if (!createDecoder) throw encodingError(`The page has the unknown content encoding "${name.slice(0, 40)}".`);
  return createDecoder;
};
