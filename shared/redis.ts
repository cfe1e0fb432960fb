/** Redis: holds intent, never truth. */
import { Redis, type RedisOptions } from 'ioredis';
import { config } from './config.ts';
import { AppError } from './errors.ts';
import { logger } from './logger.ts';

const QUIET_MS = 10_000;
let complained = 0;

const connect = (options: RedisOptions): Redis => {
  const redis = new Redis(config.REDIS_URL, options);
  redis.on('error', (error) => {
    if (Date.now() - complained < QUIET_MS) return;
    complained = Date.now();
    logger.warn({ err: error.message }, 'redis is away');
  });
  return redis;
};

/** A connection that refuses at once when Redis is away and gives up on one that hangs: for whoever must answer. */
export const impatientRedis = (options: RedisOptions = {}): Redis =>
  connect({
    enableOfflineQueue: false,
    commandTimeout: 1000,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(tries * 100, 1000),
    ...options,
  });

/** A connection that waits for Redis as long as it takes: for workers. */
export const patientRedis = (options: RedisOptions = {}): Redis =>
  connect({ maxRetriesPerRequest: null, retryStrategy: (tries) => Math.min(tries * 100, 1000), ...options });

/** Refuse a Redis that may drop or forget jobs, unless a setting says otherwise (faults F20). */
export const checkRedis = async (redis: Redis): Promise<void> => {
  const [policy, append] = await Promise.all([
    redis.config('GET', 'maxmemory-policy'),
    redis.config('GET', 'appendonly'),
  ]);
  const wrong = [
    policy[1] === 'noeviction' ? '' : 'maxmemory-policy noeviction',
    append[1] === 'yes' ? '' : 'appendonly yes',
  ].filter(Boolean);
  if (!wrong.length) return;
  const text = `Redis may lose jobs: it needs ${wrong.join(' and ')} (REDIS_UNSAFE=true starts all the same)`;
  if (!config.REDIS_UNSAFE) throw new AppError(500, 'REDIS_UNSAFE', text);
  logger.warn(text);
};
