import { prepareDatabase } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { connectMongo, disconnectMongo } from '#shared/mongo.ts';

const move = async (uri: string): Promise<void> => {
  config.MONGODB_URI = uri;
  await disconnectMongo();
  await connectMongo({ monitorCommands: true });
};

/** Lets the models of this process, and fleets made from now on, live on another MongoDB; tells the way back. */
export const moveTo = async (uri: string): Promise<() => Promise<void>> => {
  const home = config.MONGODB_URI;
  await move(uri);
  await prepareDatabase();
  return () => move(home);
};
