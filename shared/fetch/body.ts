/**
 * The body of an answer, read so that no server can fill this process: pieces are decoded as they come, off the event
 * loop, and no byte is kept but the decoded ones.
 */
import { once } from 'node:events';
import { type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MakeDecoder } from './decoders.ts';
import { badEncoding, tooLarge } from './errors.ts';
import { growing } from './growing.ts';

/** The most bytes a body may have, on the wire and decoded; `cut` keeps the first of them instead of refusing. */
export type Cap = { maxBytes: number; cut: boolean };

/** How a body is read: its decoder, none for a plain one, its cap, and where it goes if not into memory. */
export type Read = { make: MakeDecoder | undefined; cap: Cap; into?: () => Writable };

/** Ends a pipeline that has what it wants. */
const ENOUGH = new Error('enough');

const within = ({ maxBytes, cut }: Cap) =>
  async function* (pieces: AsyncIterable<Buffer>) {
    let sent = 0;
    for await (const piece of pieces) {
      sent += piece.length;
      if (sent > maxBytes && !cut) throw tooLarge(maxBytes);
      yield piece;
    }
  };

const keep = (store: ReturnType<typeof growing>, { maxBytes, cut }: Cap) =>
  new Writable({
    write(piece: Buffer, _encoding, done) {
      if (store.take(piece)) done();
      else done(cut ? ENOUGH : tooLarge(maxBytes));
    },
  });

/** The first byte, still to be read again; undefined for an empty body. */
const peek = async (body: Readable) => {
  await Promise.race([once(body, 'readable'), once(body, 'end')]);
  const head: Buffer | null = body.read();
  if (head) body.unshift(head);
  return head?.[0];
};

const flow = async (body: Readable, target: Writable, { make, cap }: Read) => {
  const firstByte = make && (await peek(body));
  if (!make || firstByte === undefined) return pipeline(body, within(cap), target);
  const decoder: Transform = make(firstByte);
  await pipeline(body, within(cap), decoder, within(cap), target);
};

/** Codes of zlib (`Z_`) and of brotli, which come from decoders alone. */
const DECODING = /^(Z_|ERR_(?!STREAM))/;

const undecodable = (error: unknown) => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return DECODING.test(code) ? badEncoding(`The page does not decode (${code}).`) : error;
};

/** The decoded body, read no further than the cap; empty where it went elsewhere. */
export const readBody = async (body: Readable, read: Read) => {
  const store = growing(read.cap.maxBytes);
  try {
    await flow(body, read.into?.() ?? keep(store, read.cap), read);
  } catch (error) {
    if (error !== ENOUGH) {
      store.drop();
      throw undecodable(error);
    }
  }
  return store.all();
};
