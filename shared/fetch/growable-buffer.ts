/** A buffer for bodies of unknown size. */
const INITIAL_BYTES = 65_536;

/**
 * Returns a buffer that grows in place up to `limit` and takes no more memory than it holds. Its memory is freed
 * explicitly, since the next garbage collection may be many bodies away.
 */
export const growableBuffer = (limit: number) => {
  const memory = new ArrayBuffer(0, { maxByteLength: limit });
  const bytes = new Uint8Array(memory);
  let used = 0;

  const makeRoom = (needed: number) => {
    if (needed > bytes.length) memory.resize(Math.min(limit, Math.max(needed, 2 * bytes.length, INITIAL_BYTES)));
  };

  return {
    /** Appends as much as fits; returns whether all of it did. */
    append: (piece: Uint8Array) => {
      const fits = piece.length <= limit - used;
      const accepted = fits ? piece : piece.subarray(0, limit - used);
      makeRoom(used + accepted.length);
      bytes.set(accepted, used);
      used += accepted.length;
      return fits;
    },
    /** Returns all bytes and ends the buffer: nothing can be appended afterwards. */
    toBytes: () => new Uint8Array(memory.transferToFixedLength(used)),
    /** Frees the memory; does nothing after `toBytes`. */
    release: () => {
      if (!memory.detached) memory.transfer(0);
    },
  };
};
