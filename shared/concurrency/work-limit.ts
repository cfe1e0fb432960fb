/** Refuses work early with 503, so that a burst of calls does not delay all other calls and memory stays bounded. */
import { AppError } from '../errors.ts';

const RETRY_AFTER_S = 1;

/** The error for work that is refused. */
export const overloaded = (): AppError =>
  new AppError(503, 'OVERLOADED', `Too many calls at the same time; try again in ${RETRY_AFTER_S} s`).retryAfter(
    RETRY_AFTER_S,
  );

/**
 * Limits the work of each holder, such as a project, in this process: at most `limit` calls of `run` at the same time;
 * further calls are refused.
 */
export const createWorkLimit = (limit: number) => {
  const running = new Map<string, number>();
  const isReached = (holder: string): boolean => (running.get(holder) ?? 0) >= limit;
  return {
    /** Whether further work of the holder is refused at the moment. */
    isReached,
    /** Runs `work`. Throws 503 if the holder has reached the limit. */
    async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
      if (isReached(holder)) throw overloaded();
      running.set(holder, (running.get(holder) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (running.get(holder) ?? 1) - 1;
        if (left) running.set(holder, left);
        else running.delete(holder);
      }
    },
  };
};
