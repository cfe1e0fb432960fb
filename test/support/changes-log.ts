/** Reads the changes log, and waits until the relay has caught up with all writes. */
import { newId } from '#shared/context.ts';
import { emits } from '#shared/events.ts';
import { Change } from '#shared/models/change.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { startRelayOnce } from './relay.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until the running relay has relayed a new event, and therefore everything that was written before it. */
export const waitForRelay = async (seconds = 30): Promise<void> => {
  const probe = newId();
  await Outbox.create([{ id_project: probe, record: probe, view: {} }], emits('kb.namespace.update'));
  await waitUntil(async () => Boolean(await Change.exists({ id_project: probe })), seconds);
};

/** The changes of the project that have been relayed so far, in order. */
export const readLog = (project: string) => Change.find({ id_project: project }).sort({ position: 1 }).lean();

/** The fields of a change that identify it, with a part of its payload. */
export interface LogHead {
  _id: string;
  position: string;
  event: string;
  record: string;
  payload: { sender?: string; text?: string; recipient?: string; request?: { request_id?: string } };
}

const HEAD_FIELDS = {
  ...{ position: 1, event: 1, record: 1, 'payload.sender': 1, 'payload.text': 1, 'payload.recipient': 1 },
  'payload.request.request_id': 1,
} as const;

/** The changes that `readLog` returns, without most of their payloads, for large logs. */
export const readLogHeads = (project: string) =>
  Change.find({ id_project: project }, HEAD_FIELDS).sort({ position: 1 }).lean<LogHead[]>();

/** All changes of the project so far, relayed by this process. */
export const relayedChanges = async (project: string) => {
  startRelayOnce();
  await waitForRelay();
  return readLog(project);
};
