/** Connects a starting process to MongoDB and Redis. */
import { connectMongo } from '../database/connection.ts';
import { AppError } from '../errors.ts';
import { assertDurableRedis, failFastRedis, openRedis } from '../queue/redis.ts';

/**
 * Longer than the default timeout of `failFastRedis`, because a process that starts on a busy machine reads the reply
 * late.
 */
const REDIS_TIMEOUT_MS = 10_000;

/**
 * Connects to the service `name`, whose address is in `setting`. If it cannot be reached, throws a 503 that names the
 * service, the reason and the setting. An `AppError` that `connect` throws is passed on.
 */
export const connectOrExplain = async (
  name: string,
  setting: string,
  connect: () => Promise<unknown>,
): Promise<void> => {
  try {
    await connect();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const advice = `Start the system with npm start, or set ${setting}`;
    throw new AppError(503, 'SERVICE_UNAVAILABLE', `${name} does not answer (${(error as Error).message}). ${advice}.`);
  }
};

const rejectUnsafeRedis = async (): Promise<void> => {
  const redis = failFastRedis({ lazyConnect: true, commandTimeout: REDIS_TIMEOUT_MS });
  try {
    await connectOrExplain('Redis', 'REDIS_URL', () => openRedis(redis));
    await assertDurableRedis(redis);
  } finally {
    redis.disconnect();
  }
};

/** Connects to MongoDB and checks Redis. Throws the errors of `connectOrExplain` and of `assertDurableRedis`. */
export const connectServices = async (): Promise<void> => {
  await Promise.all([connectOrExplain('MongoDB', 'MONGODB_URI', connectMongo), rejectUnsafeRedis()]);
};
