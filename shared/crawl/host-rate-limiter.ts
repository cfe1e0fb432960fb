/**
 * Limits the requests to a host across all workers. A Redis sorted set holds a slot with a lease for each running
 * request, so that the slot of a killed worker becomes free. Further keys of each host store when the next request may
 * start, why the host is paused, and which pages returned 503 within the last minute. If Redis loses its data, limiting
 * starts afresh.
 */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { config } from '../config.ts';
import type { RedisClient } from '../queue/redis.ts';

/** Why a host is paused: it returned 429, or three of its pages returned 503 within a minute. */
export type PauseReason = 'HTTP_429' | 'HTTP_503';

/** A slot, or the number of milliseconds to wait before the next try. */
export type HostPermit =
  | { granted: true; release: () => Promise<void> }
  | { granted: false; retryInMs: number; pauseReason?: PauseReason };

/** The number of slots per host, and the time after which a slot that was not released is free again. */
export type HostLimits = { concurrency?: number; leaseMs?: number };

const LEASE_MARGIN_MS = 5_000;

const UNAVAILABLE_WINDOW_MS = 60_000;
const UNAVAILABLE_PAGES_TO_PAUSE = 3;

/**
 * Returns a pair. The first item is 0 if a slot was taken, -1 if all slots are in use, and otherwise the milliseconds
 * to wait. The second item is the reason if the host is paused, and otherwise empty.
 */
const ACQUIRE_SCRIPT = `
local pause = redis.call('PTTL', KEYS[3])
if pause > 0 then return { pause, redis.call('GET', KEYS[3]) } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token, limit, lease, delay = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local start = tonumber(redis.call('GET', KEYS[2]) or 0)
if start > now then return { start - now, '' } end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= limit then return { -1, '' } end
redis.call('ZADD', KEYS[1], now + lease, token)
if redis.call('PTTL', KEYS[1]) < lease then redis.call('PEXPIRE', KEYS[1], lease) end
if delay > 0 then redis.call('SET', KEYS[2], now + delay, 'PX', delay) end
return { 0, '' }`;

const PAUSE_SCRIPT = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end`;

/** Counts a page that returned 503. Returns 1 if the count reaches the limit; the count then restarts at 0. */
const COUNT_UNAVAILABLE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], window)
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then return 0 end
redis.call('DEL', KEYS[1])
return 1`;

/** How long to wait before trying again if all slots are in use. The time at which a slot becomes free is not known. */
const RETRY_WHEN_FULL_MS = 20;

/** Returns a rate limiter shared by all processes on the same Redis. */
export const createHostRateLimiter = (redis: RedisClient, limits: HostLimits = {}) => {
  const {
    concurrency = config.FETCH_HOST_CONCURRENCY,
    leaseMs = config.FETCH_TIMEOUT_SECONDS * 1000 + LEASE_MARGIN_MS,
  } = limits;
  const slotsKey = (host: string) => `${config.QUEUE_PREFIX}:crawl-host:{${host}}:slots`;
  const nextStartKey = (host: string) => `${config.QUEUE_PREFIX}:crawl-host:{${host}}:next`;
  const pausedKey = (host: string) => `${config.QUEUE_PREFIX}:crawl-host:{${host}}:paused`;
  const unavailableKey = (host: string) => `${config.QUEUE_PREFIX}:crawl-host:{${host}}:unavailable`;

  return {
    /** Takes a slot of a host if one is free; `delayMs` is the minimum time between the starts of two requests. */
    acquire: async (host: string, { delayMs = config.FETCH_HOST_DELAY_MS } = {}): Promise<HostPermit> => {
      const token = ulid();
      const delay = Math.ceil(delayMs);
      const keys = [slotsKey(host), nextStartKey(host), pausedKey(host)];
      const answer = await redis.eval(ACQUIRE_SCRIPT, 3, ...keys, token, concurrency, leaseMs, delay);
      const [wait, reason] = answer as [number, PauseReason | ''];
      if (wait !== 0)
        return {
          granted: false,
          retryInMs: wait < 0 ? RETRY_WHEN_FULL_MS : wait,
          ...(reason && { pauseReason: reason }),
        };
      return { granted: true, release: async () => void (await redis.zrem(slotsKey(host), token)) };
    },

    /** Pauses a host for all workers, or extends its pause. Never shortens a pause. */
    pause: async (host: string, ms: number, reason: PauseReason) => {
      if (ms >= 1) await redis.eval(PAUSE_SCRIPT, 1, pausedKey(host), Math.ceil(ms), reason);
    },

    /** Counts a page that returned 503. Returns true for the third page of the host within a minute. */
    countUnavailable: async (host: string, page: string): Promise<boolean> => {
      const name = createHash('sha1').update(page).digest('base64url');
      return (
        Number(
          await redis.eval(
            COUNT_UNAVAILABLE_SCRIPT,
            1,
            unavailableKey(host),
            name,
            UNAVAILABLE_WINDOW_MS,
            UNAVAILABLE_PAGES_TO_PAUSE,
          ),
        ) === 1
      );
    },
  };
};
