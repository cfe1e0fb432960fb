/**
 * Response bodies that are generated while the client reads them. Koa writes a body no faster than the client reads,
 * and destroys it when the client disconnects. `limits/stalled-responses.ts` disconnects clients that stop reading.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';

type Piece = string | Uint8Array;

/** Handles an error after the first piece: returns to end the body, or throws to abort the connection. */
type LateErrorHandler = (error: unknown) => void;

/**
 * Generates the first piece and returns the body. Rejects if the first piece cannot be generated, so that the response
 * is an ordinary error.
 */
export const startBody = async (pieces: AsyncIterable<Piece>, onLateError: LateErrorHandler): Promise<Readable> => {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | undefined = await iterator.next();
  // Koa reads the body outside the context of the request. The snapshot restores the context: actor and correlation id.
  const inRequest = AsyncLocalStorage.snapshot();
  const nextPiece = async (): Promise<IteratorResult<Piece>> => {
    try {
      return await inRequest(() => iterator.next());
    } catch (error) {
      onLateError(error);
      return { done: true, value: undefined };
    }
  };
  const next = async (): Promise<IteratorResult<Piece>> => {
    const piece = first ?? nextPiece();
    first = undefined;
    return piece;
  };
  const close = async (): Promise<IteratorResult<Piece>> =>
    (await inRequest(() => iterator.return?.())) ?? { done: true, value: undefined };
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next, return: close }) });
};

const BYTES_PER_PIECE = 16_384;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += BYTES_PER_PIECE)
    yield bytes.subarray(offset, offset + BYTES_PER_PIECE);
}

/** Returns a body that yields the bytes in pieces. */
export const bodyInPieces = (bytes: Buffer): Readable => Readable.from(piecesOf(bytes));
