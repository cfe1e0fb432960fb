/** A relay in the test process, for the database that the models of this process use. */
import mongoose from 'mongoose';
import { ulid } from 'ulid';
import { startRelay } from '../../workers/relay/relay.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

const LEASE_HOLDER = ulid();
let runningRelay: ReturnType<typeof startRelay> | undefined;

/** Stops the relay; later writes are relayed when a relay runs again. */
export const stopRelay = async (): Promise<void> => {
  const relay = runningRelay;
  runningRelay = undefined;
  await relay?.stop();
};

/**
 * Starts the relay unless it is running. The relay stops when the models connect to another database, since a fleet has
 * its own relay.
 */
export const startRelayOnce = (): void => {
  if (runningRelay) return;
  runningRelay = startRelay(LEASE_HOLDER);
  mongoose.connection.once('close', stopRelay);
  onSuiteEnd(stopRelay);
};
