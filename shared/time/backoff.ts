/** Exponential backoff. */

/**
 * The delays of a backoff: `baseMs` after the first failure, `factor` times as long after each further one, at most
 * `maxMs`.
 */
export interface Backoff {
  baseMs: number;
  maxMs?: number;
  factor?: number;
}

/**
 * Returns how long to wait after the given number of failures (from 1), in milliseconds: at random between half of the
 * delay and all of it.
 */
export const backoffMs = (failures: number, { baseMs, maxMs = Infinity, factor = 2 }: Backoff): number =>
  Math.min(maxMs, baseMs * factor ** (failures - 1)) * (0.5 + Math.random() / 2);
