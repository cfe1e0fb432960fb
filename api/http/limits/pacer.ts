/**
 * Delays the calls of a network that come too fast, so that it cannot use all points of a minute within a second.
 *
 * Example: a limit of 1,200 points per minute. A network that has made no call for a while may use 200 points at once,
 * a sixth. After that it gets 20 points per second (1,200 / 60), and calls wait for their points.
 */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';

/** The share of the points per minute that may be used at once. */
const BURST_SHARE = 1 / 6;
/** At least this many points may be used at once, even if the share is smaller: so few do not delay other networks. */
const MIN_BURST_POINTS = 60;
const MAX_KEYS = 20_000;

/** Takes points of a key (a network). Returns the milliseconds that the call must wait. */
export type TakePace = (key: string, count: number) => number;

/**
 * Returns a function that takes points at the pace of a limit of `points` per `seconds`. It implements the generic cell
 * rate algorithm, which keeps one number per key.
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
