/** A relay in the test process, on the database that the models of this process read. */
import mongoose from 'mongoose';
import { ulid } from 'ulid';
import { startRelay } from '../../workers/relay/relay.ts';
import { atEnd } from './at-end.ts';

const HOLDER = ulid();
let running: ReturnType<typeof startRelay> | undefined;

/** Relays no more; what is written now is relayed when somebody relays again. */
export const stopRelaying = async (): Promise<void> => {
  const relay = running;
  running = undefined;
  await relay?.stop();
};

/** Relays from the first call on, until the database is left: that of a fleet has its own. */
export const relaying = (): void => {
  if (running) return;
  running = startRelay(HOLDER);
  mongoose.connection.once('close', stopRelaying);
  atEnd(stopRelaying);
};
