/** Spreads the calls that a rate limit allows over its window. */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';

/** The part of the points that may be used at once. */
const BURST_SHARE = 1 / 6;
/** Small limits are not spread: so few calls do not delay others. */
const MIN_BURST_POINTS = 60;
const MAX_KEYS = 20_000;

/** Takes points of a key; returns the milliseconds after which they may be used. */
export type TakePace = (key: string, count: number) => number;

/**
 * Returns a function that paces the points of a limit: a sixth of them at once, the others evenly over the window.
 * Implements the generic cell rate algorithm, which keeps one number per key.
 */
export const createPacer = (
  { points, seconds }: { points: number; seconds: number },
  now: () => number = Date.now,
): TakePace => {
  const msPerPoint = (seconds * 1000) / points;
  const burstMs = Math.max(MIN_BURST_POINTS, points * BURST_SHARE) * msPerPoint;
  const fullAt = new TtlCache<number>({ ttlMs: 2 * seconds * 1000, max: MAX_KEYS });
  return (key, count) => {
    const at = now();
    const end = Math.max(at, fullAt.get(key) ?? 0) + count * msPerPoint;
    fullAt.set(key, end);
    return Math.max(0, end - burstMs - at);
  };
};
