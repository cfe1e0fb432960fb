/** Works of this process that would only get into each other's way. */

const last = new Map<string, Promise<unknown>>();

/** Do `work` when every earlier one of its key is done; those of other keys go on beside it. */
export const inLine = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
};
