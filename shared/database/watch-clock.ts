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

/**
 * Sets the clock, and again with each answer to the driver's heartbeats, which it sends every two seconds. Called once
 * per connection.
 */
export const watchClock = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  client.on('serverHeartbeatSucceeded', ({ reply }: mongo.ServerHeartbeatSucceededEvent) => readClock(reply));
  readClock(await client.db('admin').command({ hello: 1 }));
};
