/**
 * Reads response bodies within a limit. Pieces are decoded as they arrive, in zlib's threads, and only decoded bytes
 * are kept.
 */
import { once } from 'node:events';
import { type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CreateDecoder } from './decoders.ts';
import { encodingError, tooLargeError } from './errors.ts';
import { growableBuffer } from './growable-buffer.ts';

/**
 * Where a body is kept. By default, it is kept in memory; with `truncate`, the first `maxBytes` of a larger body are
 * kept, instead of throwing TOO_LARGE. With `createSink`, it is written to the stream that this function creates for
 * the final response, and a larger body is always rejected.
 */
export type BodyDestination =
  | { truncate?: boolean; createSink?: undefined }
  | { truncate?: undefined; createSink: () => Writable };

/**
 * How to read a body: its decoder (undefined for a plain body), and its maximum size, decoded and, unless it is
 * truncated, encoded.
 */
export type BodyReadOptions = { createDecoder: CreateDecoder | undefined; maxBytes: number } & BodyDestination;

/** The error that ends the reading of a truncated body. */
const LIMIT_REACHED = new Error('Limit reached');

const limitBytes = ({ maxBytes, truncate }: BodyReadOptions) =>
  async function* (pieces: AsyncIterable<Buffer>) {
    let received = 0;
    for await (const piece of pieces) {
      received += piece.length;
      if (received > maxBytes && !truncate) throw tooLargeError(maxBytes);
      yield piece;
    }
  };

/** The error that ends the reading of a body that exceeds the limit. */
const limitError = ({ maxBytes, truncate }: BodyReadOptions): Error =>
  truncate ? LIMIT_REACHED : tooLargeError(maxBytes);

const bufferSink = (store: ReturnType<typeof growableBuffer>, options: BodyReadOptions) =>
  new Writable({
    write(piece: Buffer, _encoding, done) {
      if (store.append(piece)) done();
      else done(limitError(options));
    },
  });

/** Returns the first byte without consuming it; undefined for an empty body. */
const peekFirstByte = async (body: Readable) => {
  await Promise.race([once(body, 'readable'), once(body, 'end')]);
  const head: Buffer | null = body.read();
  if (head) body.unshift(head);
  return head?.[0];
};

/** Reads a plain body into memory, without a pipeline: its streams take longer than the rest of a small call. */
const readPlainBody = async (body: Readable, store: ReturnType<typeof growableBuffer>, options: BodyReadOptions) => {
  for await (const piece of body) if (!store.append(piece)) throw limitError(options);
};

const receiveBody = async (body: Readable, store: ReturnType<typeof growableBuffer>, options: BodyReadOptions) => {
  const { createDecoder, createSink } = options;
  if (!createDecoder && !createSink) return readPlainBody(body, store, options);
  const target = createSink?.() ?? bufferSink(store, options);
  const firstByte = createDecoder && (await peekFirstByte(body));
  if (!createDecoder || firstByte === undefined) return pipeline(body, limitBytes(options), target);
  const decoder: Transform = createDecoder(firstByte);
  await pipeline(body, limitBytes(options), decoder, limitBytes(options), target);
};

/** Error codes of zlib (`Z_`) and of brotli. */
const DECODER_ERROR = /^(Z_|ERR_(?!STREAM))/;

const toDecodeError = (error: unknown) => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return DECODER_ERROR.test(code) ? encodingError(`The page cannot be decoded (${code}).`) : error;
};

/**
 * Returns the decoded body, or an empty array if the body was written to a sink. Throws TOO_LARGE if the body exceeds
 * the limit and is not truncated, and BAD_ENCODING if it cannot be decoded.
 */
export const readBody = async (body: Readable, options: BodyReadOptions) => {
  const store = growableBuffer(options.maxBytes);
  try {
    await receiveBody(body, store, options);
  } catch (error) {
    if (error !== LIMIT_REACHED) {
      store.release();
      throw toDecodeError(error);
    }
  }
  return store.toBytes();
};
