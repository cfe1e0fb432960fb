/** The services a command stands on: reached for its work, left whatever comes of it. */
import { AppError } from '#shared/errors.ts';
import { connectMongo, disconnectMongo } from '#shared/mongo.ts';
import { closeQueues, connectQueues } from '#shared/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';

const reached = async (name: string, setting: string, connect: () => Promise<unknown>): Promise<void> => {
  try {
    await connect();
  } catch (error) {
    const advice = `Start the system with npm start, or set ${setting}`;
    throw new AppError(503, 'AWAY', `${name} does not answer (${(error as Error).message}). ${advice}.`);
  }
};

/** Work with MongoDB. */
export const withRecords = async (work: () => Promise<void>): Promise<void> => {
  await reached('MongoDB', 'MONGODB_URI', connectMongo);
  try {
    await work();
  } finally {
    await disconnectMongo();
  }
};

/** Work with MongoDB and the chunk index. */
export const withKnowledge = (work: () => Promise<void>): Promise<void> =>
  withRecords(() => work().finally(() => chunkIndex().close()));

/** Work with the queues. */
export const withQueues = async (work: () => Promise<void>): Promise<void> => {
  try {
    await reached('Redis', 'REDIS_URL', connectQueues);
    await work();
  } finally {
    await closeQueues();
  }
};
