/** The MongoDB connection of the process, and transactions. */
import mongoose, { type ClientSession, mongo } from 'mongoose';
import { config } from '../config.ts';
import { expectedVersion } from '../context.ts';
import { currentTime } from '../time/clock.ts';
import { watchClock } from './watch-clock.ts';
import { watchPrimary } from './new-primary.ts';

/**
 * A server that accepts connections but does not answer is detected after the sum of these times. Its connections are
 * then closed, so waiting calls fail as if the server were down. With the driver's defaults, they would wait for 40 s.
 */
const HUNG_SERVER_DETECTION = { heartbeatFrequencyMS: 2000, connectTimeoutMS: 6000 };

/**
 * By default, the driver checks ten times a second whether a pool has expired connections, or fewer than its minimum.
 * These checks caused a third of the wake-ups of an idle process. They find nothing in a pool without a minimum size
 * and without a maximum idle time, because connections are also checked when they are used.
 */
const POOL_CHECK_INTERVAL_MS = 60_000;

/**
 * Sets the interval of the pool checks. The driver has an option for it, but accepts it neither in its constructor nor
 * in the URI. A test counts the timers of an idle connection, in case a later version of the driver ignores the option.
 */
const limitPoolChecks = ({ options }: mongo.MongoClient): void => {
  if (options.minPoolSize || options.maxIdleTimeMS) return;
  Object.assign(options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_INTERVAL_MS });
};

/**
 * Connects to MongoDB, unless this process is connected already. Writes are acknowledged by a majority and journaled,
 * and retried once by the driver.
 */
export const connectMongo = async (overrides: mongo.MongoClientOptions & { dbName?: string } = {}): Promise<void> => {
  if (mongoose.connection.readyState === mongoose.STATES.connected) return;
  const client = new mongo.MongoClient(config.MONGODB_URI, {
    writeConcern: { w: 'majority', j: true },
    retryWrites: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2000,
    ...HUNG_SERVER_DETECTION,
    maxPoolSize: 40,
    enableUtf8Validation: false, // only this system writes, always in UTF-8; checking is slower than decoding
    ...overrides,
  });
  limitPoolChecks(client);
  await client.connect();
  mongoose.connection.setClient(client);
  watchPrimary();
  await watchClock();
};

/** Closes all connections. */
export const disconnectMongo = () => mongoose.disconnect();

/** Writes a test record. Rejects if MongoDB cannot store it durably. */
export const checkMongoWritable = () =>
  mongoose.connection
    .collection<{ _id: string }>('health')
    .updateOne({ _id: 'probe' }, { $set: { at: currentTime() } }, { upsert: true });

/**
 * Runs `work` in a transaction and returns its result. The driver may rerun `work` from the start, so documents must be
 * created inside `work`.
 */
export const inTransaction = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const expected = expectedVersion();
  const initial = { ...expected };
  return mongoose.connection.withSession((session) =>
    session.withTransaction(() => {
      if (expected) Object.assign(expected, initial); // each attempt checks the version of `If-Match` again
      return work(session);
    }),
  );
};

/** Runs several reads in one snapshot, so that all see the same point in time. */
export const inSnapshot = async <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => {
  await using session = await mongoose.connection.startSession({ snapshot: true });
  return await read(session);
};
