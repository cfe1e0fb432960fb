import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './unavailable.ts';

const PAUSE_MS = 100;
/** Longer than the election of a primary takes. */
const MAX_MS = 30_000;

/**
 * Runs a write, and repeats it for up to 30 s while MongoDB is unavailable. Use it for results that would otherwise be
 * lost; after a longer outage they are. The write must have the same effect if an earlier attempt has succeeded
 * unnoticed.
 */
export const retryWhileUnavailable = async <T>(write: () => Promise<T>): Promise<T> => {
  const end = performance.now() + MAX_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error;
    }
    await sleep(PAUSE_MS);
  }
};
