/** Reads the changes log, after waiting until everything written so far is relayed. */
import { newId } from '#shared/context.ts';
import { emits } from '#shared/events.ts';
import { Change } from '#shared/models/change.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { startRelayOnce } from './relay.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until the running relay has relayed a probe, and with it everything written before. */
export const waitForRelay = async (seconds = 30): Promise<void> => {
  const probe = newId();
  await Outbox.create([{ id_project: probe, record: probe, view: {} }], emits('kb.namespace.update'));
  await waitUntil(async () => Boolean(await Change.exists({ id_project: probe })), seconds);
};

/** The changes of the project that are relayed so far, in order. */
export const readLog = (project: string) => Change.find({ id_project: project }).sort({ position: 1 }).lean();

/** All changes of the project so far, relayed by this process. */
export const relayedChanges = async (project: string) => {
  startRelayOnce();
  await waitForRelay();
  return readLog(project);
};
