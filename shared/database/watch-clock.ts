/** Reads the clock of MongoDB, by which `time/clock.ts` sets the clock of this process. */
import mongoose, { type mongo } from 'mongoose';
import { setClock } from '../time/clock.ts';

/** The parts of a reply to `hello` that are used. */
interface ServerState {
  isWritablePrimary?: boolean;
  localTime?: Date;
}

/** Sets the clock from a reply of the primary. Ignores secondaries, whose clocks may differ. */
const readClock = ({ isWritablePrimary, localTime }: ServerState): void => {
  if (isWritablePrimary && localTime) setClock(localTime);
};

/**
 * A first reading that takes longer than this is repeated: its time may be outdated, and there is no earlier reading to
 * compare it with.
 */
const MAX_READING_MS = 500;
const MAX_ATTEMPTS = 3;

const readFirst = async (client: mongo.MongoClient): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const started = performance.now();
    const reply = await client.db('admin').command({ hello: 1 });
    if (performance.now() - started < MAX_READING_MS || attempt === MAX_ATTEMPTS) return readClock(reply);
  }
};

/**
 * Sets the clock now, and again with each reply to the driver's heartbeats (one every two seconds). Called once per
 * connection.
 */
export const watchClock = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  client.on('serverHeartbeatSucceeded', ({ reply }: mongo.ServerHeartbeatSucceededEvent) => readClock(reply));
  await readFirst(client);
};
