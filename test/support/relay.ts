/** A relay in the test process, for the database that the models of this process use. */
import mongoose from 'mongoose';
import { ulid } from 'ulid';
import { RelayState } from '#shared/models/relay-state.ts';
import { startRelay } from '../../workers/relay/relay.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

const LEASE_HOLDER = ulid();
let runningRelay: ReturnType<typeof startRelay> | undefined;
let isStoppedAtEnd = false;

/** Stops the relay; later writes are relayed when a relay runs again. */
export const stopRelay = async (): Promise<void> => {
  const relay = runningRelay;
  runningRelay = undefined;
  await relay?.stop();
};

/** Makes the next relay start with the writes that follow this call. Must be called while no relay runs. */
export const skipEarlierEvents = async (): Promise<void> => {
  const startTime = (await mongoose.connection.db?.command({ ping: 1 }))?.operationTime;
  await RelayState.updateOne({ _id: 'relay' }, { $set: { startTime }, $unset: { token: 1 } });
};

/**
 * Starts the relay unless it is running. The relay stops when the models connect to another database, because the
 * workers that a test starts on that database have their own relay.
 */
export const startRelayOnce = (): void => {
  if (runningRelay) return;
  runningRelay = startRelay(LEASE_HOLDER);
  if (isStoppedAtEnd) return;
  isStoppedAtEnd = true;
  mongoose.connection.on('close', stopRelay);
  onSuiteEnd(stopRelay);
};
