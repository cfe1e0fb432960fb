/**
 * Limits concurrent outgoing calls. Each call holds one slot of its receiver and one of its project; unique indexes
 * prevent two calls from holding the same slot.
 */
import { currentTime } from '../../time/clock.ts';
import type { CallKey, CallQueue, TakenCall } from './queue-definition.ts';

/** The numbers of a call's slots. */
export interface CallSlots {
  receiver: number;
  project: number;
}

interface CallInProgress {
  receiver: unknown;
  receiver_slot: number | undefined;
  project_slot: number | undefined;
  dueAt: Date | undefined;
}

/** Returns a random free slot from 0 to `count - 1`, or undefined if all are taken. */
const pickFree = (count: number, taken: (number | undefined)[]): number | undefined => {
  const free = Array.from({ length: count }, (_, slot) => slot).filter((slot) => !taken.includes(slot));
  return free[Math.floor(Math.random() * free.length)];
};

const inProgressFilter = (id_project: string) => ({ id_project, project_slot: { $exists: true } });

/**
 * Returns the filter for the due calls that wait for a slot. A call that a worker has taken may still be marked as
 * waiting, but it is not due until its lease expires.
 */
export const waitingFilter = (id_project: string) => ({
  id_project,
  waitingSince: { $exists: true },
  dueAt: { $lte: currentTime() },
});

/** Returns the fields whose removal releases the slots of a call. */
export const releasedFields = ({ slotField }: { slotField: string }): Record<string, 1> => ({
  holder: 1,
  [slotField]: 1,
  project_slot: 1,
});

const readInProgress = async <K extends CallKey, C extends TakenCall & K>(
  { model, receiverField, slotField }: CallQueue<K, C>,
  id_project: string,
): Promise<CallInProgress[]> => {
  const fields = { [receiverField]: 1, [slotField]: 1, project_slot: 1, dueAt: 1 };
  const calls = await model.find(inProgressFilter(id_project), fields).lean<Record<string, unknown>[]>();
  return calls.map((call) => ({
    receiver: call[receiverField],
    receiver_slot: call[slotField] as number | undefined,
    project_slot: call.project_slot as number | undefined,
    dueAt: call.dueAt as Date | undefined,
  }));
};

/** Reads the calls in progress, after releasing the slots of calls whose leases have expired. */
const readLeased = async <K extends CallKey, C extends TakenCall & K>(queue: CallQueue<K, C>, id_project: string) => {
  const calls = await readInProgress(queue, id_project);
  if (!calls.some(({ dueAt }) => dueAt && dueAt <= currentTime())) return calls;
  const expired = { ...inProgressFilter(id_project), dueAt: { $lte: currentTime() } };
  await queue.model.updateMany(expired, { $unset: releasedFields(queue) });
  return readInProgress(queue, id_project);
};

/**
 * Returns a random slot of the receiver and one of the project, without a query. If there are few concurrent calls,
 * both are usually free.
 */
export const randomSlots = ({
  slotsPerReceiver,
  slotsPerProject,
}: Record<'slotsPerReceiver' | 'slotsPerProject', number>): CallSlots => ({
  receiver: Math.floor(Math.random() * slotsPerReceiver),
  project: Math.floor(Math.random() * slotsPerProject),
});

/** Returns a free slot of the receiver and one of the project, or null if either has none. */
export const findFreeSlots = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  key: K,
): Promise<CallSlots | null> => {
  const calls = await readLeased(queue, key.id_project);
  const own = calls.filter((call) => call.receiver === key[queue.receiverField]);
  const receiver = pickFree(
    queue.slotsPerReceiver,
    own.map((call) => call.receiver_slot),
  );
  const project = pickFree(
    queue.slotsPerProject,
    calls.map((call) => call.project_slot),
  );
  return receiver === undefined || project === undefined ? null : { receiver, project };
};

/**
 * Returns the sequence of calls that has waited longest for a slot, among those whose receivers have a free slot; null
 * if there is none.
 */
export const findLongestWaiting = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  id_project: string,
): Promise<K | null> => {
  const used = Map.groupBy(await readInProgress(queue, id_project), ({ receiver }) => receiver);
  const full = [...used].filter(([, calls]) => calls.length >= queue.slotsPerReceiver).map(([receiver]) => receiver);
  const waiting = { ...waitingFilter(id_project), ...(full.length && { [queue.receiverField]: { $nin: full } }) };
  const call = await queue.model.findOne(waiting).sort({ waitingSince: 1 }).lean<K>();
  return call && queue.keyOf(call);
};

/** Marks a sequence of calls as waiting for a slot. */
export const markWaiting = async <K extends CallKey, C extends TakenCall & K>(
  { model }: CallQueue<K, C>,
  key: K,
): Promise<void> => {
  const marks = { $min: { waitingSince: currentTime() } };
  await model.findOneAndUpdate({ ...(key as object), dueAt: { $exists: true } }, marks, { sort: { position: 1 } });
};
