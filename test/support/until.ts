import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds, looking every few milliseconds; fails after `seconds`. */
export const until = async (condition: () => boolean | Promise<boolean>, seconds = 5) => {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not true within ${seconds} s: ${String(condition)}`);
    await sleep(5);
  }
};
