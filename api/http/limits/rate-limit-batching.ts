/**
 * Takes the points of a rate limit from Redis in batches, so that most requests need no round trip. The last points are
 * taken one by one, so that the limit over all processes is exact. Points that a process took but did not use are lost.
 */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';

/** A limit is taken from Redis in about this many batches. */
const BATCHES_PER_LIMIT = 25;
const MAX_BATCH_POINTS = 100;
const MAX_KEYS = 20_000;

/** The unused points taken for one key, and the response of Redis to taking them. */
interface PointBatch {
  pointsLeft: number;
  response: RateLimiterRes;
}

/**
 * Consumes `count` points of a key (default 1). If fewer are left, consumes all of them and rejects with a
 * `RateLimiterRes`.
 */
export type ConsumePoints = (key: string, count?: number) => Promise<RateLimiterRes>;

/** Returns a function that consumes points of a limit (`points` per `seconds`), which `shared` counts in Redis. */
export const createBatchingConsumer = (
  shared: RateLimiterAbstract,
  { points, seconds }: { points: number; seconds: number },
): ConsumePoints => {
  const batchSize = Math.min(MAX_BATCH_POINTS, Math.max(1, Math.floor(points / BATCHES_PER_LIMIT)));
  const batches = new TtlCache<PointBatch>({ ttlMs: seconds * 1000, max: MAX_KEYS });
  const pendingBatches = new Map<string, Promise<void>>();

  const takeBatch = async (key: string): Promise<void> => {
    const remaining = batches.get(key)?.response.remainingPoints ?? points;
    const batchPoints = remaining >= 2 * batchSize ? batchSize : 1;
    const response = await shared.consume(key, batchPoints);
    batches.set(key, { pointsLeft: batchPoints, response }, response.msBeforeNext);
  };

  const takeBatchOnce = (key: string): Promise<void> => {
    const running = pendingBatches.get(key);
    if (running) return running;
    const pending = takeBatch(key).finally(() => pendingBatches.delete(key));
    pendingBatches.set(key, pending);
    return pending;
  };

  return async (key, count = 1) => {
    for (let missing = count; ; await takeBatchOnce(key)) {
      const batch = batches.get(key);
      if (!batch) continue;
      const used = Math.min(missing, batch.pointsLeft);
      batch.pointsLeft -= used;
      missing -= used;
      if (missing === 0) return toLimiterResponse(batch);
    }
  };
};

const toLimiterResponse = ({ pointsLeft, response }: PointBatch): RateLimiterRes =>
  new RateLimiterRes(
    response.remainingPoints + pointsLeft,
    response.msBeforeNext,
    response.consumedPoints - pointsLeft,
    response.isFirstInDuration,
  );
