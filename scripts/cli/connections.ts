/** Connects a command to the services it needs, and disconnects afterwards. */
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { connectOrExplain } from '#shared/process/connect-services.ts';
import { closeQueues, connectQueues } from '#shared/queue/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';

/** Runs `work` while connected to MongoDB. */
export const withMongo = async (work: () => Promise<void>): Promise<void> => {
  await connectOrExplain('MongoDB', 'MONGODB_URI', connectMongo);
  try {
    await work();
  } finally {
    await disconnectMongo();
  }
};

/** Runs `work` while connected to MongoDB and the chunk index. */
export const withMongoAndIndex = (work: () => Promise<void>): Promise<void> =>
  withMongo(() => work().finally(() => chunkIndex().close()));

/** Runs `work` while connected to the queues. */
export const withQueues = async (work: () => Promise<void>): Promise<void> => {
  try {
    await connectOrExplain('Redis', 'REDIS_URL', connectQueues);
    await work();
  } finally {
    await closeQueues();
  }
};
