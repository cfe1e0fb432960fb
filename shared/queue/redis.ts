/**
 * Connections to Redis. Redis holds only queues and counters, so that no record is lost if it loses its data. Redis may
 * be one server, a cluster, or a master that Sentinels monitor and replace; all keys of one command or script have the
 * same hash tag, because a cluster stores keys with different tags on different servers.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { config } from '../config.ts';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';
import { parseRedisHosts, type RedisHosts } from '../settings/redis-url.ts';

/** A connection to Redis. */
export type RedisClient = Redis | Cluster;

/** Options of a connection, which mean the same for one server, a cluster and Sentinels. */
type ConnectionOptions = Pick<
  RedisOptions,
  'commandTimeout' | 'connectionName' | 'enableOfflineQueue' | 'lazyConnect' | 'maxRetriesPerRequest'
>;

const WARNING_INTERVAL_MS = 10_000;
/** The pause before a cluster command is sent again. */
const CLUSTER_RETRY_MS = 100;
/** How often the servers of a cluster are asked which keys each of them stores. */
const CLUSTER_REFRESH_MS = 2000;
/**
 * Time without any reply after which a connection is reopened; longer than the time for which a worker waits for a job.
 */
const SILENCE_MS = 20_000;
let lastWarning = Number.NEGATIVE_INFINITY;

const retryDelay = (tries: number): number => Math.min(tries * 100, 1000);

/**
 * How many times a cluster command is sent again while its server is being replaced. The command timeout does not cover
 * the pauses in between. A command without a timeout is sent until it succeeds.
 */
const clusterRetries = ({ commandTimeout }: ConnectionOptions): number =>
  commandTimeout ? Math.max(2, Math.ceil(commandTimeout / CLUSTER_RETRY_MS)) : Number.MAX_SAFE_INTEGER;

const createCluster = ({ hosts, isEncrypted, username, password }: RedisHosts, options: ConnectionOptions): Cluster => {
  const { lazyConnect, enableOfflineQueue, ...redisOptions } = options;
  return new Cluster(hosts, {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retryDelay,
    retryDelayOnFailover: CLUSTER_RETRY_MS,
    retryDelayOnClusterDown: CLUSTER_RETRY_MS,
    slotsRefreshInterval: CLUSTER_REFRESH_MS,
    maxRedirections: clusterRetries(options),
    redisOptions: { ...redisOptions, username, password, ...(isEncrypted && { tls: {} }) },
    // The certificate of a server names its host, so the name must not be replaced by an address.
    ...(isEncrypted && { dnsLookup: (host: string, done: (error: null, host: string) => void) => done(null, host) }),
  });
};

const createBehindSentinels = (
  { hosts, isEncrypted, username, password, masterName, db, sentinelPassword }: RedisHosts,
  options: RedisOptions,
): Redis =>
  new Redis({
    ...options,
    ...{ sentinels: hosts, name: masterName, username, password, db, sentinelPassword },
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: retryDelay,
    // A master that hangs keeps its connections open. The failover detector of ioredis is not used: it would close this
    // connection for good if the Sentinels reported the new master while the connection was being reopened.
    socketTimeout: SILENCE_MS,
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false), // 2: reconnect and retry
  });

/** Opens a connection to the server, the cluster or, through Sentinels, the master that a `REDIS_URL` names. */
export const connectRedis = (url: string, options: ConnectionOptions): RedisClient => {
  const redisOptions = { ...options, retryStrategy: retryDelay };
  const several = parseRedisHosts(url);
  if (!several) return new Redis(url, redisOptions);
  return several.kind === 'cluster' ? createCluster(several, options) : createBehindSentinels(several, redisOptions);
};

const createConnection = (options: ConnectionOptions): RedisClient => {
  const redis = connectRedis(config.REDIS_URL, options);
  redis.on('error', (error: Error) => {
    if (performance.now() - lastWarning < WARNING_INTERVAL_MS) return;
    lastWarning = performance.now();
    logger.warn({ err: error.message }, 'Redis connection error');
  });
  return redis;
};

/**
 * A connection for request handlers. Commands fail immediately while Redis is unavailable, and after one second if it
 * does not respond.
 */
export const failFastRedis = (options: ConnectionOptions = {}): RedisClient =>
  createConnection({ enableOfflineQueue: false, commandTimeout: 1000, maxRetriesPerRequest: 0, ...options });

/** A connection for workers: commands wait until Redis is available. */
export const blockingRedis = (options: ConnectionOptions = {}): RedisClient =>
  createConnection({ maxRetriesPerRequest: null, ...options });

/** A connection that emits `ready`, whichever library has created it. */
interface ReadyEmitter {
  once(event: 'ready', listener: () => void): unknown;
  off(event: 'ready', listener: () => void): unknown;
}

/**
 * Waits until a connection is ready or `connecting` settles, whichever comes first. The promise of `connect` alone is
 * not enough: it never settles if a cluster is incomplete at first, although the connection becomes ready later.
 */
export const untilReady = async (redis: ReadyEmitter, connecting: Promise<void>): Promise<void> => {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  redis.once('ready', resolve);
  try {
    await Promise.race([connecting, ready]);
  } finally {
    redis.off('ready', resolve);
  }
};

/**
 * Opens a lazy connection. Rejects with the error of the connection, which contains the address, if no server can be
 * reached. The error of `connect` is only "Connection is closed".
 */
export const openRedis = async (redis: RedisClient): Promise<void> => {
  let reason: Error | undefined;
  const storeReason = (error: Error): void => void (reason = error);
  redis.once('error', storeReason);
  try {
    await untilReady(redis, redis.connect());
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.off('error', storeReason);
  }
};

/** The prefix of the keys of a queue. It is a hash tag: a cluster stores all keys of a queue on one server. */
export const queueKeyPrefix = (queue: string): string => `{${config.QUEUE_PREFIX}:${queue}}`;

/** The servers that store data: all masters of a cluster, otherwise the server of the connection. */
export const redisServers = (redis: RedisClient): Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

/** Returns the missing settings without which a server may evict or lose jobs. */
export const missingRedisSettings = async (server: Redis): Promise<string[]> => {
  const [evictionPolicy, appendOnly] = await Promise.all([
    server.config('GET', 'maxmemory-policy'),
    server.config('GET', 'appendonly'),
  ]);
  const valueOf = (reply: unknown): unknown => (reply as string[])[1];
  return [
    valueOf(evictionPolicy) === 'noeviction' ? '' : 'maxmemory-policy noeviction',
    valueOf(appendOnly) === 'yes' ? '' : 'appendonly yes',
  ].filter(Boolean);
};

/**
 * Throws an error with the code REDIS_UNSAFE if Redis may evict or lose jobs. If the setting `REDIS_UNSAFE` is true,
 * logs a warning instead.
 */
export const assertDurableRedis = async (redis: RedisClient): Promise<void> => {
  const missing = await Promise.all(redisServers(redis).map(missingRedisSettings));
  const requiredSettings = [...new Set(missing.flat())];
  if (!requiredSettings.length) return;
  const message = `Redis may lose jobs: it needs ${requiredSettings.join(' and ')} (set REDIS_UNSAFE=true to start anyway)`;
  if (!config.REDIS_UNSAFE) throw new AppError(500, 'REDIS_UNSAFE', message);
  logger.warn(message);
};
