/**
 * Delays calls that come too fast, so that a caller cannot use all points of a minute within a second.
 *
 * Example: 1,200 points per minute with a burst of 60. A caller that has made no call for a while may use 60 points at
 * once. After that it gets 20 points per second (1,200 / 60), and its calls wait for their points.
 */
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';

const MAX_KEYS = 20_000;

/** A rate of `points` per `seconds`, of which `burst` can be used at once. */
interface Pace {
  points: number;
  seconds: number;
  burst: number;
}

/**
 * Returns a function that takes points of a key and returns the milliseconds that the caller must wait before it uses
 * them. Implements the generic cell rate algorithm, which keeps one number per key.
 */
export const createPacer = ({ points, seconds, burst }: Pace, now: () => number = Date.now) => {
  const msPerPoint = (seconds * 1000) / points;
  const burstMs = burst * msPerPoint;
  /** For each key, the time at which all of its points are available again, in milliseconds since the epoch. */
  const fullAt = new TtlCache<number>({ ttlMs: 2 * seconds * 1000, max: MAX_KEYS });
  return (key: string, count: number): number => {
    const nowMs = now();
    const end = Math.max(nowMs, fullAt.get(key) ?? 0) + count * msPerPoint;
    fullAt.set(key, end);
    return Math.max(0, end - burstMs - nowMs);
  };
};
