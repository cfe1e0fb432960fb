import { setTimeout as sleep } from 'node:timers/promises';

const MIN_DELAY_MS = 5;
const MAX_DELAY_MS = 50;
/** The delay between two checks is this part of the time waited so far. */
const DELAY_PART = 0.1;

const delayAfter = (waitedMs: number): number => Math.min(MIN_DELAY_MS + DELAY_PART * waitedMs, MAX_DELAY_MS);

/**
 * Waits until a condition holds, and checks it every few milliseconds, less often the longer it takes. Throws after
 * `seconds`.
 */
export const waitUntil = async (condition: () => boolean | Promise<boolean>, seconds = 60) => {
  const start = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - start;
    if (waitedMs > seconds * 1000) throw new Error(`Not true within ${seconds} s: ${String(condition)}`);
    await sleep(delayAfter(waitedMs));
  }
};

const STALLED_SECONDS = 60;

/** Waits until a count reaches a number, however long that takes; throws when it has not grown for a minute. */
export const waitForCount = async (count: () => number, expected: number): Promise<void> => {
  while (count() < expected) {
    const before = count();
    await waitUntil(() => count() > before, STALLED_SECONDS);
  }
};
