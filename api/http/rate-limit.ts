/** Rate limits in Redis over all processes; in this process's memory while Redis is away (decision 29, faults F4). */
import type { Context } from 'koa';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { Recent } from '#shared/recent.ts';
import { impatientRedis } from '#shared/redis.ts';
import { type Spend, spender } from './points.ts';

const MINUTE = 60;
const ASIDE_MS = 1000;
const TIMEOUT_MS = 150;

interface Limit {
  name: string;
  points: number;
  shared: Spend;
  local: RateLimiterAbstract;
}

const redis = impatientRedis({ commandTimeout: TIMEOUT_MS, lazyConnect: true });

const inRedis = (name: string, points: number) =>
  new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${config.QUEUE_PREFIX}:limit:${name}`,
    points,
    duration: MINUTE,
    inMemoryBlockOnConsumed: points + 1,
    rejectIfRedisNotReady: true,
  });

/** A limit that counts call by call, over all processes; in this one's memory while Redis is away. */
export const limiterOf = (
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

const limitOf = (name: string, points: number): Limit => ({
  name,
  points,
  shared: spender(inRedis(name, points), { points, seconds: MINUTE }),
  local: new RateLimiterMemory({ keyPrefix: name, points, duration: MINUTE }),
});

const { RATE_LIMIT_POINTS } = config;

/** All budgets, each a minute: of a token, of sign-in, of a principal, of the visitors of a network, of a project, of the tokens that a principal is issued. */
const limits = {
  normal: limitOf('normal', RATE_LIMIT_POINTS),
  signin: limitOf('signin', config.SIGNIN_LIMIT_POINTS),
  principal: limitOf('principal', config.PRINCIPAL_LIMIT_POINTS ?? 2 * RATE_LIMIT_POINTS),
  visitors: limitOf('visitors', config.VISITORS_LIMIT_POINTS ?? 4 * RATE_LIMIT_POINTS),
  project: limitOf('project', config.PROJECT_LIMIT_POINTS ?? 20 * RATE_LIMIT_POINTS),
  issued: limitOf('issued', config.TOKEN_ISSUE_LIMIT_POINTS ?? Math.ceil(RATE_LIMIT_POINTS / 10)),
};

let asideUntil = 0;

const consume = async (limit: Limit, key: string): Promise<RateLimiterRes> => {
  if (Date.now() < asideUntil) return limit.local.consume(key);
  try {
    return await limit.shared(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw refusal;
    asideUntil = Date.now() + ASIDE_MS;
    return limit.local.consume(key);
  }
};

const headersOf = (
  { name, points }: Limit,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Record<string, string> => {
  const reset = String(Math.ceil(msBeforeNext / 1000));
  return {
    'RateLimit-Policy': `"${name}";q=${points};w=${MINUTE}`,
    RateLimit: `"${name}";r=${remainingPoints};t=${reset}`,
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(remainingPoints),
    'X-RateLimit-Reset': reset,
  };
};

const refusalOf = (limit: Limit, refusal: RateLimiterRes): AppError => {
  const wait = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  return new AppError(429, 'RATE_LIMITED', `Too many requests; try again in ${wait} s`).with({
    body: { retry_after: wait },
    headers: { ...headersOf(limit, refusal), 'Retry-After': String(wait) },
  });
};

/** Who was refused in this process, until it has points again. */
const spent = new Recent<RateLimiterRes>({ ttlMs: MINUTE * 1000, max: 10_000 });

/** Spend one point of a budget; 429 once it is spent. */
export const spend = async (kind: keyof typeof limits, key: string): Promise<RateLimiterRes> => {
  try {
    return await consume(limits[kind], key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    spent.set(`${kind}:${key}`, refusal, refusal.msBeforeNext);
    throw refusalOf(limits[kind], refusal);
  }
};

/** The same, and tell the caller in headers what is left. */
export const count = async (ctx: Context, kind: keyof typeof limits, key: string): Promise<void> => {
  ctx.set(headersOf(limits[kind], await spend(kind, key)));
};

/** 429 for who was refused a moment ago: before anything is read for it, and counted no further. */
export const mustHavePoints = (kind: keyof typeof limits, key: string): void => {
  const refusal = spent.get(`${kind}:${key}`);
  if (refusal) throw refusalOf(limits[kind], refusal);
};

/** Connect before the first request. */
export const connectLimiter = () => redis.connect();

/** Let the process end. */
export const closeLimiter = () => redis.disconnect();
