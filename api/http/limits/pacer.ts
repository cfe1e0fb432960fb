/** Spreads the calls that a rate limit allows over its window. */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';

/** The share of the points that can be used at once. */
const BURST_SHARE = 1 / 6;
/** At least this many points can be used at once: so few calls do not delay other projects. */
const MIN_BURST_POINTS = 60;
const MAX_KEYS = 20_000;

/** Takes points of a key. Returns the milliseconds that the caller must wait before it uses them. */
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
  /** For each key, the time at which all of its points are available again, in milliseconds since the epoch. */
  const fullAt = new TtlCache<number>({ ttlMs: 2 * seconds * 1000, max: MAX_KEYS });
  return (key, count) => {
    const nowMs = now();
    const end = Math.max(nowMs, fullAt.get(key) ?? 0) + count * msPerPoint;
    fullAt.set(key, end);
    return Math.max(0, end - burstMs - nowMs);
  };
};
