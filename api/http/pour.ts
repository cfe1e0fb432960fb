/** Writing an answer piece by piece: never faster than its reader, and no longer than it reads (faults F23). */
import type { ServerResponse } from 'node:http';

/** A reader that takes nothing for this long is sent away. */
const STUCK_MS = 60_000;

/** Resolves when the reader has taken what was written, or is gone. */
const taken = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(stuck);
      res.off('drain', done).off('close', done);
      resolve();
    };
    const stuck = setTimeout(() => res.destroy(), STUCK_MS);
    res.on('drain', done).on('close', done);
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
