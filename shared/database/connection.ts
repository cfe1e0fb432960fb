/** The MongoDB connection of the process, and transactions. */
import mongoose, { type ClientSession, type ConnectOptions } from 'mongoose';
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

/** Connects to MongoDB. Writes are acknowledged by a majority and journaled, and retried once by the driver. */
export const connectMongo = async (overrides: ConnectOptions = {}): Promise<void> => {
  await mongoose.connect(config.MONGODB_URI, {
    writeConcern: { w: 'majority', j: true },
    retryWrites: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2000,
    ...HUNG_SERVER_DETECTION,
    maxPoolSize: 40,
    enableUtf8Validation: false, // only this system writes, always in UTF-8; checking is slower than decoding
    ...overrides,
  });
  watchPrimary();
  await watchClock();
};

/** Closes all connections. */
export const disconnectMongo = () => mongoose.disconnect();

/** Writes a probe record. Rejects if MongoDB cannot store it durably. */
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
      if (expected) Object.assign(expected, initial); // an aborted attempt was undone: check the version again
      return work(session);
    }),
  );
};

/** Runs several reads in one snapshot, so that all see the same point in time. */
export const inSnapshot = async <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => {
  await using session = await mongoose.connection.startSession({ snapshot: true });
  return await read(session);
};
