/** Shares one call among all callers in the same tick of the event loop. */
import { setImmediate as endOfTick } from 'node:timers/promises';

/**
 * Returns a function that calls `work` once for all calls with the same key in one tick, and returns its result to each
 * of them. `work` starts at the end of the tick, so that its result is never older than the calls.
 */
export const shareCalls = <Key, Result>(work: (key: Key) => Promise<Result>): ((key: Key) => Promise<Result>) => {
  const waiting = new Map<Key, Promise<Result>>();
  const runLater = async (key: Key): Promise<Result> => {
    await endOfTick();
    waiting.delete(key);
    return work(key);
  };
  return (key) => {
    const shared = waiting.get(key) ?? runLater(key);
    waiting.set(key, shared);
    return shared;
  };
};
