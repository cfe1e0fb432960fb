/** A relay in the test process, on the database that the models of this process read. */
import mongoose from 'mongoose';
import { ulid } from 'ulid';
import { startRelay } from '../../workers/relay/relay.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

const LEASE_HOLDER = ulid();
let runningRelay: ReturnType<typeof startRelay> | undefined;

/** Stops the relay; what is written from now on is relayed once a relay runs again. */
export const stopRelay = async (): Promise<void> => {
  const relay = runningRelay;
  runningRelay = undefined;
  await relay?.stop();
};

/**
 * Starts the relay at the first call; it stops when the models move to another database, since a fleet has its own
 * relay.
 */
export const startRelayOnce = (): void => {
  if (runningRelay) return;
  runningRelay = startRelay(LEASE_HOLDER);
  mongoose.connection.once('close', stopRelay);
  onSuiteEnd(stopRelay);
};
