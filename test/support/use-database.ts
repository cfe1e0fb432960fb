import { config } from '#shared/config.ts';
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { TEST_CONNECTION } from './connection-options.ts';

const connectTo = async (uri: string): Promise<void> => {
  config.MONGODB_URI = uri;
  await disconnectMongo();
  await connectMongo(TEST_CONNECTION);
};

/**
 * Makes the models of this process, and the processes that tests start later, use another MongoDB. Returns a function
 * that restores the previous MongoDB.
 */
export const useDatabase = async (uri: string): Promise<() => Promise<void>> => {
  const previous = config.MONGODB_URI;
  await connectTo(uri);
  await prepareDatabase();
  return () => connectTo(previous);
};
