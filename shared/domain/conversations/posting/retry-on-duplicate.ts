/** Repeats attempts to store records that another process may have stored. */
import { isDuplicateKey } from '../../../database/unique-keys.ts';

const MAX_RETRIES = 10;

/**
 * Repeats `attempt` after each duplicate-key error. Such an error means that another process or an earlier attempt has
 * stored a record. Returns the result of an earlier attempt if `findEarlierResult` finds one.
 */
export const retryOnDuplicate = async <T>(
  attempt: () => Promise<T>,
  findEarlierResult: () => Promise<T | null>,
): Promise<T> => {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicateKey(error) || !retriesLeft) throw error;
      const result = await findEarlierResult();
      if (result) return result;
    }
  }
};
