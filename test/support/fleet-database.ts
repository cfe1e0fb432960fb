/**
 * The databases of fleets (API processes and workers that a test starts), and of tests whose work, such as a sweep,
 * grows with the number of records in the database.
 * The database of a closed fleet is emptied, and the next fleet of this process uses it: MongoDB needs much more CPU
 * time to drop the collections and create them with their indexes than to empty them. Only a database with many records
 * is dropped.
 */
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { anApi } from './api.ts';
import { TEST_CONNECTION } from './connection-options.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

/** The names of the databases that no fleet uses, by the URI of their MongoDB. */
const unusedDatabases = new Map<string, string[]>();

let databaseCount = 0;

const takeName = (): string => {
  databaseCount += 1;
  return unusedDatabases.get(config.MONGODB_URI)?.pop() ?? `fleet_${process.pid}_${databaseCount}`;
};

/** Does not use `URL`, because the URI of a replica set lists several hosts. */
const uriOf = (name: string): string => config.MONGODB_URI.replace(/^(mongodb:\/\/[^/]+)\/?[^?]*/, `$1/${name}`);

/** Drops the unused databases. Connects to MongoDB first if the API in this process has closed the connection. */
const dropUnused = async (): Promise<void> => {
  const names = unusedDatabases.get(config.MONGODB_URI) ?? [];
  if (!names.length) return;
  if (mongoose.connection.readyState !== mongoose.STATES.connected) await connectMongo();
  for (const name of names) await mongoose.connection.getClient().db(name).dropDatabase();
};

onSuiteEnd(dropUnused);

/** Deleting more records of a collection than this takes longer than dropping the database. */
const MAX_DELETED = 100_000;

/** Empties the database, or drops it. Returns whether the next fleet can use it. */
const emptyDatabase = async (): Promise<boolean> => {
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const counts = await Promise.all(collections.map((collection) => collection.estimatedDocumentCount()));
  if (Math.max(...counts) > MAX_DELETED) {
    await mongoose.connection.dropDatabase();
    return false;
  }
  await Promise.all(collections.filter((_, index) => counts[index]).map((collection) => collection.deleteMany({})));
  return true;
};

/**
 * Connects the models of this process to a database without records. Returns its URI, and a function that empties it
 * and connects the models to the previous database.
 */
export const useFleetDatabase = async (): Promise<{ uri: string; leave(): Promise<void> }> => {
  const name = takeName();
  const server = config.MONGODB_URI;
  await disconnectMongo();
  await connectMongo({ dbName: name, ...TEST_CONNECTION });
  await prepareDatabase();
  const leave = async (): Promise<void> => {
    if (await emptyDatabase()) unusedDatabases.set(server, [...(unusedDatabases.get(server) ?? []), name]);
    await disconnectMongo();
    await connectMongo(TEST_CONNECTION);
  };
  return { uri: uriOf(name), leave };
};

/**
 * Adds hooks to the surrounding `describe`: its tests use a database without the records of other tests. Their sweeps
 * and searches of all projects then take a second instead of ten.
 */
export const useEmptyDatabase = (): void => {
  let leave: (() => Promise<void>) | undefined;
  before(async () => {
    await anApi(); // the API must start before the connection of this process, which it shares, is switched
    ({ leave } = await useFleetDatabase());
  });
  after(() => leave?.());
};
