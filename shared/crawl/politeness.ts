/**
 * Politeness to a host over all workers. Each running request holds a slot with a lease in a sorted set of Redis, so a
 * killed worker's slot frees itself; a second key says when the next request may start. Nothing else is kept: after a
 * flush the counting begins anew.
 */
import type { Redis } from 'ioredis';
import { ulid } from 'ulid';
import { config } from '#shared/config.ts';

/** A slot, or the milliseconds after which to ask again; a refused caller may put its page back and take another. */
export type Turn = { granted: true; release: () => Promise<void> } | { granted: false; retryInMs: number };

/** Slots at once per host, and milliseconds after which the slot of a silent worker is free again. */
export type PolitenessLimits = { concurrency?: number; leaseMs?: number };

const LEASE_MARGIN = 5_000;

const ACQUIRE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token, limit, lease, delay = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local start = tonumber(redis.call('GET', KEYS[2]) or 0)
if start > now then return start - now end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= limit then return -1 end
redis.call('ZADD', KEYS[1], now + lease, token)
if redis.call('PTTL', KEYS[1]) < lease then redis.call('PEXPIRE', KEYS[1], lease) end
if delay > 0 then redis.call('SET', KEYS[2], now + delay, 'PX', delay) end
return 0`;

const PAUSE = `
local time = redis.call('TIME')
local start = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
if start > tonumber(redis.call('GET', KEYS[1]) or 0) then redis.call('SET', KEYS[1], start, 'PX', ARGV[1]) end`;

/** Milliseconds after which to ask again when all slots are taken: nobody knows when one is given back. */
const FULL_RETRY = 20;

/** Turns at hosts, shared by every process on the same Redis. */
export const createPoliteness = (redis: Redis, limits: PolitenessLimits = {}) => {
  const { concurrency = config.FETCH_HOST_CONCURRENCY, leaseMs = config.FETCH_TIMEOUT * 1000 + LEASE_MARGIN } = limits;
  const slots = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:slots`;
  const next = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:next`;

  return {
    /** Asks for a turn at a host; `delayMs` is the least time between two starts. Never waits. */
    acquire: async (host: string, { delayMs = config.FETCH_HOST_DELAY } = {}): Promise<Turn> => {
      const token = ulid();
      const delay = Math.ceil(delayMs);
      const wait = Number(await redis.eval(ACQUIRE, 2, slots(host), next(host), token, concurrency, leaseMs, delay));
      if (wait !== 0) return { granted: false, retryInMs: wait < 0 ? FULL_RETRY : wait };
      return { granted: true, release: async () => void (await redis.zrem(slots(host), token)) };
    },

    /** Keeps every worker off a host for some milliseconds, as its Retry-After asked. */
    pause: async (host: string, ms: number) => {
      if (ms >= 1) await redis.eval(PAUSE, 1, next(host), Math.ceil(ms));
    },
  };
};
