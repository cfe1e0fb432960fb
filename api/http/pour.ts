/** Writing an answer piece by piece: never faster than its reader. A reader that takes nothing is sent away by `stuck.ts`. */
import type { ServerResponse } from 'node:http';

/** Resolves when the reader has taken what was written, or is gone. */
const taken = (res: ServerResponse): Promise<void> =>
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
 * Write all pieces, the `first` of which was made before the head was sent. Throws what making one throws; in any case their maker is
 * told that no more are wanted.
 */
export const pour = async (
  res: ServerResponse,
  first: IteratorResult<Piece>,
  pieces: AsyncIterator<Piece>,
): Promise<void> => {
  let next = first;
  try {
    for (; !next.done && !res.destroyed; next = await pieces.next()) if (!res.write(next.value)) await taken(res);
  } finally {
    await pieces.return?.();
  }
};

const PIECE = 16_384;

/** Write a whole answer that is too large for one write. */
export const pourBytes = async (res: ServerResponse, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length && !res.destroyed; at += PIECE)
    if (!res.write(bytes.subarray(at, at + PIECE))) await taken(res);
  res.end();
};
