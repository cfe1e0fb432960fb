/**
 * Points of a limit, taken from Redis a few at a time so that most requests need no round trip (design 8). The last
 * ones are taken singly, so that the limit over all processes is exact; what a process took and did not use is lost.
 */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Recent } from '#shared/recent.ts';

/** A call spends points of up to four budgets, each of which asks Redis once in a step. */
const STEPS = 25;
const MOST_AT_ONCE = 100;
const MOST_KEYS = 20_000;

/** What is left of the points taken for one key, and what Redis said when they were. */
interface Purse {
  left: number;
  said: RateLimiterRes;
}

/** Spend one point of a key; rejects with the limiter's refusal once all are spent. */
export type Spend = (key: string) => Promise<RateLimiterRes>;

/** Spending of a limit of `points` in `seconds`, kept by `shared`. */
export const spender = (
  shared: RateLimiterAbstract,
  { points, seconds }: { points: number; seconds: number },
): Spend => {
  const step = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(points / STEPS)));
  const purses = new Recent<Purse>({ ttlMs: seconds * 1000, max: MOST_KEYS });
  const asking = new Map<string, Promise<void>>();

  const fill = async (key: string): Promise<void> => {
    const rest = purses.get(key)?.said.remainingPoints ?? points;
    const taken = rest >= 2 * step ? step : 1;
    const said = await shared.consume(key, taken);
    purses.set(key, { left: taken, said }, said.msBeforeNext);
  };

  const filled = (key: string): Promise<void> => {
    const known = asking.get(key);
    if (known) return known;
    const made = fill(key).finally(() => asking.delete(key));
    asking.set(key, made);
    return made;
  };

  return async (key) => {
    for (;;) {
      const purse = purses.get(key);
      if (purse && purse.left > 0) {
        purse.left -= 1;
        return remaining(purse);
      }
      await filled(key);
    }
  };
};

const remaining = ({ left, said }: Purse): RateLimiterRes =>
  new RateLimiterRes(
    said.remainingPoints + left,
    said.msBeforeNext,
    said.consumedPoints - left,
    said.isFirstInDuration,
  );
