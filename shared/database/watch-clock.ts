/** Reads the clock of MongoDB, which the clock of the system follows. */
import mongoose, { type mongo } from 'mongoose';
import { setClock } from '../time/clock.ts';

/** The parts of a reply to `hello` that are used. */
interface ServerState {
  isWritablePrimary?: boolean;
  localTime?: Date;
}

/** Sets the clock by the primary; the clocks of secondaries may differ from it. */
const readClock = ({ isWritablePrimary, localTime }: ServerState): void => {
  if (isWritablePrimary && localTime) setClock(localTime);
};

/** A first reading that takes longer is repeated, because it may be late, and no earlier one corrects it. */
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
 * Sets the clock, and again with each answer to the driver's heartbeats, which it sends every two seconds. Called once
 * per connection.
 */
export const watchClock = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  client.on('serverHeartbeatSucceeded', ({ reply }: mongo.ServerHeartbeatSucceededEvent) => readClock(reply));
  await readFirst(client);
};
