/**
 * Consumes points of a rate limit that all processes share. A process takes points from Redis in batches, so that most
 * calls need no round trip. It takes the last points one by one, so that the limit across all processes is exact.
 * Points that a process has taken but does not use are lost.
 */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { TtlCache } from './ttl-cache.ts';

/**
 * The points of a limit are taken from Redis in about this many batches, or in more if a batch would exceed
 * MAX_BATCH_POINTS.
 */
const BATCHES_PER_LIMIT = 25;
const MAX_BATCH_POINTS = 100;
const MAX_BATCHED_KEYS = 20_000;

/** A batch of points that was taken for a key: its unused points, and the response from Redis when it was taken. */
interface PointBatch {
  pointsLeft: number;
  response: RateLimiterRes;
}

/** Consumes points of a limit by key. */
export interface BatchingConsumer {
  /** Consumes points that this process has already taken from Redis; returns undefined if they are too few. */
  consumeTaken(key: string, count: number): RateLimiterRes | undefined;
  /** Consumes points (default 1). If fewer are left, consumes all of them and rejects with a `RateLimiterRes`. */
  consume(key: string, count?: number): Promise<RateLimiterRes>;
}

/** Creates the consumer of a limit (`points` per `seconds`). `shared` counts the points in Redis. */
export const createBatchingConsumer = (
  shared: RateLimiterAbstract,
  { points, seconds }: { points: number; seconds: number },
): BatchingConsumer => {
  const batchSize = Math.min(MAX_BATCH_POINTS, Math.max(1, Math.floor(points / BATCHES_PER_LIMIT)));
  const batches = new TtlCache<PointBatch>({ ttlMs: seconds * 1000, max: MAX_BATCHED_KEYS });
  const pendingBatches = new Map<string, Promise<void>>();

  const takeBatch = async (key: string): Promise<void> => {
    const remaining = batches.get(key)?.response.remainingPoints ?? points;
    const batchPoints = remaining >= 2 * batchSize ? batchSize : 1;
    const response = await shared.consume(key, batchPoints);
    batches.set(key, { pointsLeft: batchPoints, response }, response.msBeforeNext);
  };

  const takeBatchOnce = (key: string): Promise<void> => {
    const pending = pendingBatches.get(key) ?? takeBatch(key).finally(() => pendingBatches.delete(key));
    pendingBatches.set(key, pending);
    return pending;
  };

  const consumeTaken = (key: string, count: number): RateLimiterRes | undefined => {
    const batch = batches.get(key);
    if (!batch || batch.pointsLeft < count) return undefined;
    batch.pointsLeft -= count;
    return toLimiterResponse(batch);
  };

  const consume = async (key: string, count = 1): Promise<RateLimiterRes> => {
    for (let missing = count; ; await takeBatchOnce(key)) {
      const response = consumeTaken(key, missing);
      if (response) return response;
      const batch = batches.get(key);
      if (!batch) continue;
      missing -= batch.pointsLeft;
      batch.pointsLeft = 0;
    }
  };
  return { consumeTaken, consume };
};

const toLimiterResponse = ({ pointsLeft, response }: PointBatch): RateLimiterRes =>
  new RateLimiterRes(
    response.remainingPoints + pointsLeft,
    response.msBeforeNext,
    response.consumedPoints - pointsLeft,
    response.isFirstInDuration,
  );
