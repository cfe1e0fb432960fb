/** A mutex per key within this process, for work that would conflict if it ran concurrently. */

const pendingByKey = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work with the same key has finished. Work with other keys runs concurrently. */
export const runExclusive = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const current = (pendingByKey.get(key) ?? Promise.resolve()).then(work, work);
  pendingByKey.set(key, current);
  try {
    return await current;
  } finally {
    if (pendingByKey.get(key) === current) pendingByKey.delete(key);
  }
};
