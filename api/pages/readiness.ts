/**
 * Checks that MongoDB, Redis, the queues and the vector index respond within two seconds. MongoDB and Redis must accept
 * a write. The embedding provider is named in the result, but not called.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { checkMongoWritable } from '#shared/database/connection.ts';
import { invitationNotice } from '#shared/domain/access/address-proof.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { logger } from '#shared/logger.ts';
import { currentMaintenance } from '#shared/process/controls.ts';
import { queues } from '#shared/queue/queue.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { chunkIndex, preloadIndex } from '#shared/vectors/index.ts';

const CHECK_TIMEOUT_MS = 2000;

/** The result of checking one part. `ms` is the response time of the part. */
export interface PartHealth {
  ok: boolean;
  ms: number;
  [detail: string]: unknown;
}

const rejectAfterTimeout = async (): Promise<never> => {
  await sleep(CHECK_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`no response within ${CHECK_TIMEOUT_MS} ms`);
};

const checkPart = async (name: string, attempt: () => Promise<object>): Promise<PartHealth> => {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  try {
    const details = await Promise.race([attempt(), rejectAfterTimeout()]);
    return { ok: true, ms: elapsedMs(), ...details };
  } catch (error) {
    // The reason is only logged, because it may contain addresses and the page is public.
    logger.warn({ part: name, err: (error as Error).message }, 'readiness check failed');
    return { ok: false, ms: elapsedMs(), error: 'not responding' };
  }
};

let redisConnection: ReturnType<typeof failFastRedis> | undefined;

const checkRedisWrites = async (): Promise<object> => {
  const redis = (redisConnection ??= failFastRedis());
  if (redis.status !== 'ready') await once(redis, 'ready');
  await redis.set(`${config.QUEUE_PREFIX}:health`, currentTimeMs());
  return {};
};

const checkMongoWrites = async (): Promise<object> => {
  await checkMongoWritable();
  return {};
};

const countJobs = async (): Promise<object> => {
  const counts = await Promise.all(
    queues().map((queue) => queue.getJobCounts('waiting', 'active', 'delayed', 'failed')),
  );
  const total = (state: string) => counts.reduce((sum, count) => sum + (count[state] ?? 0), 0);
  return { waiting: total('waiting'), active: total('active'), delayed: total('delayed'), failed: total('failed') };
};

const checkVectors = async (): Promise<object> => {
  const index = chunkIndex();
  await index.ready();
  return { name: index.name };
};

const embeddingHealth = () => {
  const { provider, name } = embedder() ?? { provider: 'none', name: '' };
  return provider === 'none' ? { ok: true, provider, text: 'full text only' } : { ok: true, provider, name };
};

const PRELOAD_AFTER_MS = 250;
let isPreloading = false;

/** Loads the vector index soon after the first readiness check, not during it, because loading blocks the process. */
const preloadAfterAnswer = (): void => {
  if (isPreloading) return;
  isPreloading = true;
  const preload = () => preloadIndex().catch((error: Error) => logger.warn({ err: error.message }, 'index not loaded'));
  setTimeout(preload, PRELOAD_AFTER_MS).unref();
};

/** Checks all parts; `down` lists the parts that fail. */
export const checkReadiness = async () => {
  const [mongodb, redis, queues, index] = await Promise.all([
    checkPart('mongodb', checkMongoWrites),
    checkPart('redis', checkRedisWrites),
    checkPart('queues', countJobs),
    checkPart('vectors', checkVectors),
  ]);
  const parts = { mongodb, redis, queues, vectors: index, embedding: embeddingHealth() };
  preloadAfterAnswer();
  const down = Object.entries(parts).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return {
    status: down.length ? 'down' : 'ok',
    down,
    parts,
    invitations: invitationNotice(),
    maintenance: currentMaintenance() !== undefined,
  };
};

let isStopping = false;

/** Makes `/health/ready` return 503, so that load balancers send no more calls to this process. */
export const turnReadinessOff = (): void => {
  isStopping = true;
};

/** Whether the process is stopping. */
export const isReadinessOff = (): boolean => isStopping;

/** Closes the Redis connection of the checks, so that the process can exit. */
export const closeReadiness = () => redisConnection?.disconnect();
