import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 150;
const DELAY_GROWTH = 1.25;

/**
 * Waits until a condition holds. The condition is checked every few milliseconds, with growing pauses. Throws if it
 * does not hold within `seconds`.
 */
export const waitUntil = async (condition: () => boolean | Promise<boolean>, seconds = 60) => {
  const end = Date.now() + seconds * 1000;
  for (let ms = FIRST_DELAY_MS; !(await condition()); ms = Math.min(ms * DELAY_GROWTH, MAX_DELAY_MS)) {
    if (Date.now() > end) throw new Error(`Not true within ${seconds} s: ${String(condition)}`);
    await sleep(ms);
  }
};

const STALLED_SECONDS = 60;

/** Waits until a count reaches a number, however long that takes. Throws if the count has not grown for a minute. */
export const waitForCount = async (count: () => number, expected: number): Promise<void> => {
  while (count() < expected) {
    const before = count();
    await waitUntil(() => count() > before, STALLED_SECONDS);
  }
};
