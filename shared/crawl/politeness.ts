/**
 * Politeness to a host over all workers. Each running request holds a slot with a lease in a sorted set of Redis, so a
 * killed worker's slot frees itself; a second key says when the next request may start, a third one why the host is
 * paused, a fourth one which pages answered 503 within the last minute. After a flush the counting begins anew.
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { ulid } from 'ulid';
import { config } from '#shared/config.ts';

/** What makes a host pause: it answers 429, or three of its pages answer 503. */
export type PauseReason = 'HTTP_429' | 'HTTP_503';

/** A slot, or the milliseconds after which to ask again; a refused caller may put its page back and take another. */
export type Turn =
  | { granted: true; release: () => Promise<void> }
  | { granted: false; retryInMs: number; paused?: PauseReason };

/** Slots at once per host, and milliseconds after which the slot of a silent worker is free again. */
export type PolitenessLimits = { concurrency?: number; leaseMs?: number };

const LEASE_MARGIN = 5_000;

const TROUBLE_MS = 60_000;
const TROUBLED_PAGES = 3;

/** Answers 0, or milliseconds to wait, -1 where all slots are taken; beside it why the host is paused. */
const ACQUIRE = `
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

const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end`;

/** Answers 1 for the page that makes them so many; the counting then begins anew. */
const TROUBLE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], window)
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then return 0 end
redis.call('DEL', KEYS[1])
return 1`;

/** Milliseconds after which to ask again when all slots are taken: nobody knows when one is given back. */
const FULL_RETRY = 20;

/** Turns at hosts, shared by every process on the same Redis. */
export const createPoliteness = (redis: Redis, limits: PolitenessLimits = {}) => {
  const { concurrency = config.FETCH_HOST_CONCURRENCY, leaseMs = config.FETCH_TIMEOUT * 1000 + LEASE_MARGIN } = limits;
  const slots = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:slots`;
  const next = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:next`;
  const paused = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:paused`;
  const troubled = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:troubled`;

  return {
    /** Asks for a turn at a host; `delayMs` is the least time between two starts. Never waits. */
    acquire: async (host: string, { delayMs = config.FETCH_HOST_DELAY } = {}): Promise<Turn> => {
      const token = ulid();
      const delay = Math.ceil(delayMs);
      const keys = [slots(host), next(host), paused(host)];
      const answer = await redis.eval(ACQUIRE, 3, ...keys, token, concurrency, leaseMs, delay);
      const [wait, reason] = answer as [number, PauseReason | ''];
      if (wait !== 0)
        return { granted: false, retryInMs: wait < 0 ? FULL_RETRY : wait, ...(reason && { paused: reason }) };
      return { granted: true, release: async () => void (await redis.zrem(slots(host), token)) };
    },

    /** Keeps every worker off a host for some milliseconds. */
    pause: async (host: string, ms: number, reason: PauseReason) => {
      if (ms >= 1) await redis.eval(PAUSE, 1, paused(host), Math.ceil(ms), reason);
    },

    /** Notes that a page answered 503; true for the third page of the host within a minute. */
    trouble: async (host: string, page: string): Promise<boolean> => {
      const name = createHash('sha1').update(page).digest('base64url');
      return Number(await redis.eval(TROUBLE, 1, troubled(host), name, TROUBLE_MS, TROUBLED_PAGES)) === 1;
    },
  };
};
