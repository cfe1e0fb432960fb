import { config } from '#shared/config.ts';
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { prepareDatabase } from '#shared/process/boot.ts';

const connectTo = async (uri: string): Promise<void> => {
  config.MONGODB_URI = uri;
  await disconnectMongo();
  await connectMongo({ monitorCommands: true });
};

/**
 * Lets the models of this process, and fleets made from now on, use another MongoDB; returns a function that reverts
 * this.
 */
export const useDatabase = async (uri: string): Promise<() => Promise<void>> => {
  const home = config.MONGODB_URI;
  await connectTo(uri);
  await prepareDatabase();
  return () => connectTo(home);
};
