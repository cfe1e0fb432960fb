/** Can this process do its work? Each part is tried for real, writes included, for two seconds at most. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { invitationNotice } from '#shared/domain/access/address-proof.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { logger } from '#shared/logger.ts';
import { mongoWrites } from '#shared/mongo.ts';
import { queues } from '#shared/queue.ts';
import { impatientRedis } from '#shared/redis.ts';
import { chunkIndex } from '#shared/vectors/index.ts';

const LIMIT_MS = 2000;

/** How one part does; `ms` is the time its answer took. */
export interface Part {
  ok: boolean;
  ms: number;
  [more: string]: unknown;
}

const silence = async (): Promise<never> => {
  await sleep(LIMIT_MS, undefined, { ref: false });
  throw new Error(`no answer within ${LIMIT_MS} ms`);
};

const tried = async (name: string, attempt: () => Promise<object>): Promise<Part> => {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const more = await Promise.race([attempt(), silence()]);
    return { ok: true, ms: ms(), ...more };
  } catch (error) {
    // Why stays in the log: its text may hold addresses, and anybody may ask.
    logger.warn({ part: name, err: (error as Error).message }, 'not ready');
    return { ok: false, ms: ms(), error: 'does not answer' };
  }
};

let connection: ReturnType<typeof impatientRedis> | undefined;

const redisWrites = async (): Promise<object> => {
  const redis = (connection ??= impatientRedis());
  if (redis.status !== 'ready') await once(redis, 'ready');
  await redis.set(`${config.QUEUE_PREFIX}:health`, Date.now());
  return {};
};

const mongoDoesWrite = async (): Promise<object> => {
  await mongoWrites();
  return {};
};

const jobCounts = async (): Promise<object> => {
  const counts = await Promise.all(
    queues().map((queue) => queue.getJobCounts('waiting', 'active', 'delayed', 'failed')),
  );
  const total = (state: string) => counts.reduce((sum, count) => sum + (count[state] ?? 0), 0);
  return { waiting: total('waiting'), active: total('active'), delayed: total('delayed'), failed: total('failed') };
};

const vectors = async (): Promise<object> => {
  const index = chunkIndex();
  await index.ready();
  return { name: index.name };
};

const embedding = () => {
  const { provider, name } = embedder() ?? { provider: 'none', name: '' };
  return provider === 'none' ? { ok: true, provider, text: 'full text alone' } : { ok: true, provider, name };
};

/** The state of every part; `down` names those that fail. */
export const readiness = async () => {
  const [mongodb, redis, queues, index] = await Promise.all([
    tried('mongodb', mongoDoesWrite),
    tried('redis', redisWrites),
    tried('queues', jobCounts),
    tried('vectors', vectors),
  ]);
  const parts = { mongodb, redis, queues, vectors: index, embedding: embedding() };
  const down = Object.entries(parts).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return { status: down.length ? 'down' : 'ok', down, parts, invitations: invitationNotice() };
};

/** Let the process end. */
export const closeReadiness = () => connection?.disconnect();
