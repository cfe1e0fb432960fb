/** Inserts records whose unique key may already exist. */

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a record with the same unique key exists. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: number }).code === DUPLICATE_KEY;

/**
 * Runs an insert. Returns false if a record with the same unique key exists. The key may be the `_id`: repeated work
 * gets the same id from `newId`, so false may mean that an earlier attempt has inserted the record.
 */
export const insertIfAbsent = async (insert: () => Promise<unknown>): Promise<boolean> => {
  try {
    await insert();
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};
