/** Exponential backoff. */

/**
 * The delays of a backoff: `baseMs` after the first failure, `factor` times as long after each further failure, at most
 * `maxMs`.
 */
export interface Backoff {
  baseMs: number;
  maxMs?: number;
  factor?: number;
}

/**
 * Returns the milliseconds to wait after the given number of failures (at least 1): a random value between half the
 * delay and the full delay.
 */
export const backoffMs = (failures: number, { baseMs, maxMs = Infinity, factor = 2 }: Backoff): number =>
  Math.min(maxMs, baseMs * factor ** (failures - 1)) * (0.5 + Math.random() / 2);
