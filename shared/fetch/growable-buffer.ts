/** A buffer for bodies of unknown size. */

const INITIAL_BYTES = 65_536;

/** Returns memory that can grow; a small maximum is allocated at once, which takes less time than growing. */
const allocate = (maxBytes: number): ArrayBuffer =>
  maxBytes <= INITIAL_BYTES ? new ArrayBuffer(maxBytes) : new ArrayBuffer(0, { maxByteLength: maxBytes });

/**
 * Returns a buffer that grows in place up to `maxBytes`. Its memory is freed explicitly, because many bodies may be
 * read before the next garbage collection.
 */
export const growableBuffer = (maxBytes: number) => {
  const memory = allocate(maxBytes);
  const bytes = new Uint8Array(memory);
  let used = 0;

  const ensureCapacity = (needed: number) => {
    if (needed > bytes.length) memory.resize(Math.min(maxBytes, Math.max(needed, 2 * bytes.length, INITIAL_BYTES)));
  };

  return {
    /** Appends as much as fits; returns whether all of it did. */
    append: (piece: Uint8Array) => {
      const fits = piece.length <= maxBytes - used;
      const accepted = fits ? piece : piece.subarray(0, maxBytes - used);
      ensureCapacity(used + accepted.length);
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
