/** Connections to Redis. It holds only queues and counters, so that no record is lost if Redis loses its data. */
import { Redis, type RedisOptions } from 'ioredis';
import { config } from '../config.ts';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';

const WARNING_INTERVAL_MS = 10_000;
let lastWarning = 0;

const createConnection = (options: RedisOptions): Redis => {
  const redis = new Redis(config.REDIS_URL, options);
  redis.on('error', (error) => {
    if (Date.now() - lastWarning < WARNING_INTERVAL_MS) return;
    lastWarning = Date.now();
    logger.warn({ err: error.message }, 'Redis connection error');
  });
  return redis;
};

/**
 * A connection for request handlers. Commands fail immediately while Redis is unavailable, and after one second if it
 * does not respond.
 */
export const failFastRedis = (options: RedisOptions = {}): Redis =>
  createConnection({
    enableOfflineQueue: false,
    commandTimeout: 1000,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(tries * 100, 1000),
    ...options,
  });

/** A connection for workers: commands wait until Redis is available. */
export const blockingRedis = (options: RedisOptions = {}): Redis =>
  createConnection({ maxRetriesPerRequest: null, retryStrategy: (tries) => Math.min(tries * 100, 1000), ...options });

/** Returns the missing settings without which Redis may evict or lose jobs. */
export const missingRedisSettings = async (redis: Redis): Promise<string[]> => {
  const [evictionPolicy, appendOnly] = await Promise.all([
    redis.config('GET', 'maxmemory-policy'),
    redis.config('GET', 'appendonly'),
  ]);
  return [
    evictionPolicy[1] === 'noeviction' ? '' : 'maxmemory-policy noeviction',
    appendOnly[1] === 'yes' ? '' : 'appendonly yes',
  ].filter(Boolean);
};

/**
 * Throws an error with the code REDIS_UNSAFE if Redis may evict or lose jobs. If the setting `REDIS_UNSAFE` is true,
 * logs a warning instead.
 */
export const assertDurableRedis = async (redis: Redis): Promise<void> => {
  const requiredSettings = await missingRedisSettings(redis);
  if (!requiredSettings.length) return;
  const message = `Redis may lose jobs: it needs ${requiredSettings.join(' and ')} (set REDIS_UNSAFE=true to start anyway)`;
  if (!config.REDIS_UNSAFE) throw new AppError(500, 'REDIS_UNSAFE', message);
  logger.warn(message);
};
