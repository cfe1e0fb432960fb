const FIRST_STEP = 65_536;

/**
 * Bytes gathered in one place: it grows without copying and takes no more memory than it holds, whatever its limit;
 * and what is given up is free at once, since the next collection may be many bodies away.
 */
export const growing = (limit: number) => {
  const memory = new ArrayBuffer(0, { maxByteLength: limit });
  const bytes = new Uint8Array(memory);
  let used = 0;

  const makeRoom = (needed: number) => {
    if (needed > bytes.length) memory.resize(Math.min(limit, Math.max(needed, 2 * bytes.length, FIRST_STEP)));
  };

  return {
    /** Takes what fits and tells whether that was all. */
    take: (piece: Uint8Array) => {
      const fits = piece.length <= limit - used;
      const taken = fits ? piece : piece.subarray(0, limit - used);
      makeRoom(used + taken.length);
      bytes.set(taken, used);
      used += taken.length;
      return fits;
    },
    /** All that was taken, as bytes that own their memory; nothing can be taken after. */
    all: () => new Uint8Array(memory.transferToFixedLength(used)),
    /** Forgets everything; harmless after `all`. */
    drop: () => {
      if (!memory.detached) memory.transfer(0);
    },
  };
};
