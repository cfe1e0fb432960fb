/** Exponential backoff. */

/**
 * How long to wait: `baseMs` after the first failure, `factor` times as long after each further one, at most `maxMs`.
 */
export interface Backoff {
  baseMs: number;
  maxMs?: number;
  factor?: number;
}

/**
 * Returns the wait after the given number of failures (from 1) in milliseconds, with jitter: half to all of the delay.
 */
export const backoffMs = (failures: number, { baseMs, maxMs = Infinity, factor = 2 }: Backoff): number =>
  Math.min(maxMs, baseMs * factor ** (failures - 1)) * (0.5 + Math.random() / 2);
