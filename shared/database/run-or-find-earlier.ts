/** Lets a repeated call return what an earlier call has stored. */
import { isDuplicateKey } from './unique-keys.ts';
import { AppError } from '../errors.ts';

const MAX_RETRIES = 10;

/**
 * Runs `attempt`, and repeats it after each duplicate-key error. Such an error means that another process or an earlier
 * call has stored a record. Returns the result of an earlier call if `findEarlierResult` finds one after a
 * duplicate-key error or a refusal: a limit that has been reached since the earlier call does not apply to its repeat.
 */
export const runOrFindEarlier = async <T>(
  attempt: () => Promise<T>,
  findEarlierResult: (error: unknown) => Promise<T | null>,
): Promise<T> => {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--) {
    try {
      return await attempt();
    } catch (error) {
      const isDuplicate = isDuplicateKey(error);
      const earlier = isDuplicate || error instanceof AppError ? await findEarlierResult(error) : null;
      if (earlier) return earlier;
      if (!isDuplicate || !retriesLeft) throw error;
    }
  }
};
