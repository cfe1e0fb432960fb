/** Refuses work early with 503, so that a burst of calls does not delay every other call and memory stays bounded. */
import { AppError } from '../errors.ts';

const RETRY_AFTER_S = 1;

/**
 * Counts the work of each holder that is running in this process. The returned function runs `work`. It throws 503 if
 * `limit` others of its holder are running.
 */
export const createWorkLimit = (limit: number) => {
  const running = new Map<string, number>();
  return async <T>(holder: string, work: () => Promise<T>): Promise<T> => {
    const count = running.get(holder) ?? 0;
    if (count >= limit)
      throw new AppError(
        503,
        'OVERLOADED',
        `Too many calls at the same time; try again in ${RETRY_AFTER_S} s`,
      ).retryAfter(RETRY_AFTER_S);
    running.set(holder, count + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(holder) ?? 1) - 1;
      if (left) running.set(holder, left);
      else running.delete(holder);
    }
  };
};
