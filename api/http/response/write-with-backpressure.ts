/**
 * Writes a response in pieces, no faster than the client reads it. Clients that read nothing are disconnected by
 * limits/stalled-responses.ts.
 */
import type { ServerResponse } from 'node:http';

/** Resolves when the written bytes are drained or the connection is closed. */
const waitForDrain = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    if (res.closed) resolve();
    else res.on('drain', done).on('close', done);
  });

type Piece = string | Uint8Array;

/**
 * Writes all pieces; `first` was generated before the headers were sent. Rethrows an error of the iterator, and always
 * closes the iterator.
 */
export const writePieces = async (
  res: ServerResponse,
  first: IteratorResult<Piece>,
  pieces: AsyncIterator<Piece>,
): Promise<void> => {
  let next = first;
  try {
    for (; !next.done && !res.destroyed; next = await pieces.next())
      if (!res.write(next.value)) await waitForDrain(res);
  } finally {
    await pieces.return?.();
  }
};

const BYTES_PER_WRITE = 16_384;

/** Writes a buffer in pieces and ends the response. */
export const writeBytes = async (res: ServerResponse, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length && !res.destroyed; at += BYTES_PER_WRITE)
    if (!res.write(bytes.subarray(at, at + BYTES_PER_WRITE))) await waitForDrain(res);
  res.end();
};
