/**
 * Rate limits. Points are counted in Redis for all processes, or in the memory of this process while Redis is
 * unavailable.
 */
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type BatchingConsumer, createBatchingConsumer } from '#shared/concurrency/batching-consumer.ts';
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';
import { createWorkLimit } from '#shared/concurrency/work-limit.ts';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { failFastRedis, openRedis } from '#shared/queue/redis.ts';

/** The time window of each rate limit in `limits`. */
export const WINDOW_SECONDS = 60;
const REDIS_RETRY_MS = 1000;
const REDIS_TIMEOUT_MS = 150;

/** A /64 network: four of the eight 16-bit parts of an IPv6 address. */
const IPV6_NETWORK_PARTS = 4;

/** The address itself for IPv4; the /64 network for IPv6, because a single customer usually controls a whole /64. */
export const clientNetwork = (ip: string): string => {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, IPV6_NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};

interface Limit {
  name: string;
  points: number;
  redisConsumer: BatchingConsumer;
  localLimiter: RateLimiterAbstract;
}

const redis = failFastRedis({ commandTimeout: REDIS_TIMEOUT_MS, lazyConnect: true });

/** Creates the limiter that counts points in Redis. `createBatchingConsumer` takes points from it in batches. */
const createRedisLimiter = (name: string, points: number) =>
  new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${config.QUEUE_PREFIX}:limit:${name}`,
    points,
    duration: WINDOW_SECONDS,
    inMemoryBlockOnConsumed: points + 1,
    rejectIfRedisNotReady: true,
  });

/** Creates a limiter that counts each call in Redis without batching, or in memory while Redis is unavailable. */
export const createLimiter = (
  name: string,
  { points, seconds }: { points: number; seconds: number },
): RateLimiterAbstract =>
  new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${config.QUEUE_PREFIX}:limit:${name}`,
    points,
    duration: seconds,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  });

/** Creates a limit of points per minute. Unlike the limiters of `createLimiter`, it takes points in batches. */
const createLimit = (name: string, points: number): Limit => ({
  name,
  points,
  redisConsumer: createBatchingConsumer(createRedisLimiter(name, points), { points, seconds: WINDOW_SECONDS }),
  localLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS }),
});

const { RATE_LIMIT_POINTS } = config;

/** The rate limits, in points per minute. The comment on each limit says for whom points are counted. */
const limits = {
  // Each token. Calls without credentials, and those with invalid ones, are counted separately for each network. Keys
  // in Redis and headers name the limit `normal`.
  token: createLimit('normal', RATE_LIMIT_POINTS),
  // Each network.
  signin: createLimit('signin', config.SIGNIN_LIMIT_POINTS),
  // Each principal, for all of its tokens together.
  principal: createLimit('principal', config.PRINCIPAL_LIMIT_POINTS ?? 2 * RATE_LIMIT_POINTS),
  // Each network, for all of its visitors together.
  visitors: createLimit('visitors', config.VISITORS_LIMIT_POINTS ?? 4 * RATE_LIMIT_POINTS),
  // The team of each project, and the visitors of each project.
  project: createLimit('project', config.PROJECT_LIMIT_POINTS ?? 20 * RATE_LIMIT_POINTS),
  // Each principal, for the tokens that are issued to it.
  issued: createLimit('issued', config.TOKEN_ISSUE_LIMIT_POINTS ?? Math.ceil(RATE_LIMIT_POINTS / 10)),
};

/** The name of a rate limit. */
export type LimitKind = keyof typeof limits;

/** Returns the points per minute of a rate limit; a call consumes at least one. */
export const pointsPerMinute = (kind: LimitKind): number => limits[kind].points;

/** Until this time (of `performance.now`), points are counted locally, because Redis has failed. */
let useLocalUntil = 0;

const MAX_PENDING_COUNTS = 1000;
/** Limits how many operations that consume points wait for Redis; a call needs up to three. Further calls get 503. */
const pendingCountsLimit = createWorkLimit(MAX_PENDING_COUNTS);

const countsLocally = (): boolean => performance.now() < useLocalUntil;

const consumeInRedis = async (limit: Limit, key: string, count: number): Promise<RateLimiterRes> => {
  try {
    return await limit.redisConsumer.consume(key, count);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw refusal;
    useLocalUntil = performance.now() + REDIS_RETRY_MS;
    return limit.localLimiter.consume(key, count);
  }
};

/** Consumes points in Redis or, while it fails, in the memory of this process. Rejects with 429 if too few are left. */
const consumeInStore = async (kind: LimitKind, key: string, count: number): Promise<RateLimiterRes> => {
  const limit = limits[kind];
  try {
    if (countsLocally()) return await limit.localLimiter.consume(key, count);
    return await pendingCountsLimit.run('', () => consumeInRedis(limit, key, count));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    exhausted.set(`${kind}:${key}`, refusal, refusal.msBeforeNext);
    throw rateLimitError(limit, refusal);
  }
};

const limitHeaders = (
  { name, points }: Limit,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Record<string, string> => {
  const reset = String(Math.ceil(msBeforeNext / 1000));
  return {
    'RateLimit-Policy': `"${name}";q=${points};w=${WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=${remainingPoints};t=${reset}`,
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(remainingPoints),
    'X-RateLimit-Reset': reset,
  };
};

const rateLimitError = (limit: Limit, refusal: RateLimiterRes): AppError => {
  const wait = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  return new AppError(429, 'RATE_LIMITED', `Too many requests; try again in ${wait} s`).retryAfter(wait).with({
    headers: limitHeaders(limit, refusal),
  });
};

/** The keys that this process has rejected. Each entry expires when its key has points again. */
const exhausted = new TtlCache<RateLimiterRes>({ ttlMs: WINDOW_SECONDS * 1000, max: 10_000 });

/**
 * Consumes `count` points of a rate limit. Rejects with 429 if too few are left. Consumes at most one point less than
 * the points per minute: `authorize.ts` consumes one point for a call, then the points for its body are consumed, and
 * together these may not exceed the limit, so that a call of any size can succeed. Most calls consume points that the
 * process has already taken from Redis; then the result is not a promise.
 */
export const consume = (kind: LimitKind, key: string, count = 1): RateLimiterRes | Promise<RateLimiterRes> => {
  const { points, redisConsumer } = limits[kind];
  const limitedCount = Math.min(count, Math.max(1, points - 1));
  const taken = countsLocally() ? undefined : redisConsumer.consumeTaken(key, limitedCount);
  return taken ?? consumeInStore(kind, key, limitedCount);
};

/** One key of a rate limit. */
interface LimitKey {
  kind: LimitKind;
  key: string;
}

/** Consumes points of a rate limit and sets the headers of the response. Rejects with 429 if too few are left. */
export const consumeWithHeaders = (ctx: Context, { kind, key }: LimitKey, count = 1): void | Promise<void> => {
  const setHeaders = (result: RateLimiterRes) => ctx.set(limitHeaders(limits[kind], result));
  const consumed = consume(kind, key, count);
  return consumed instanceof Promise ? consumed.then(setHeaders) : setHeaders(consumed);
};

/**
 * Throws 429 if this process has already rejected the key; consumes nothing, so it can run before any database read.
 */
export const rejectIfExhausted = (kind: LimitKind, key: string): void => {
  const refusal = exhausted.get(`${kind}:${key}`);
  if (refusal) throw rateLimitError(limits[kind], refusal);
};

/** Connects to Redis before the first request. */
export const connectLimiter = () => openRedis(redis);

/** Closes the connection, so that the process can exit. */
export const closeLimiter = () => redis.disconnect();
