/**
 * Queues of outgoing calls. Each call is a record; the job that makes the call is only a wake-up, which may be lost or
 * run twice. The calls of a sequence (those of one conversation to one bot) are made in the order of their events:
 * later calls wait while the first open call is being made or waits for its next attempt.
 */
import { ulid } from 'ulid';
import { retryWhileUnavailable } from '../../database/retry-while-unavailable.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import {
  type CallSlots,
  findFreeSlots,
  findLongestWaiting,
  markWaiting,
  randomSlots,
  releasedFields,
  waitingFilter,
} from './call-slots.ts';
import type { CallKey, CallQueue, TakenCall } from './queue-definition.ts';

/** A call whose lease is not renewed within this time is made again by another worker. */
const LEASE_MS = 6000;
/** The interval at which the worker of a call renews its lease. */
export const RENEWAL_INTERVAL_MS = LEASE_MS / 3;
const MAX_SLOT_COLLISIONS = 20;

/** The options for writes that may be lost without harm: the call or lease is then taken again. */
export const WEAK_WRITE = { writeConcern: { w: 1, j: false } } as const;

/** The filter for open calls: those that are neither completed nor given up. */
export const OPEN_CALL_FILTER = { dueAt: { $exists: true } } as const;

interface FirstCall {
  holder?: string;
  dueAt?: Date;
}

const heldCall = ({ _id, id_project, holder }: TakenCall) => ({ _id, id_project, holder });

/**
 * Takes the first open call of a sequence if it is due. The filter matches the first call even if it is not due, so
 * that no later call overtakes it; the pipeline changes the call only if it is due. Throws a duplicate-key error if one
 * of the slots is taken.
 */
const acquire = async <K extends CallKey, C extends TakenCall & K>(
  { model, slotField }: CallQueue<K, C>,
  key: K,
  slots: CallSlots,
) => {
  const holder = ulid();
  const now = currentTime();
  const leaseFields = {
    ...{ holder, [slotField]: slots.receiver, project_slot: slots.project },
    dueAt: new Date(now.getTime() + LEASE_MS),
    attemptsMade: { $add: ['$attemptsMade', 1] },
    waitingSince: '$$REMOVE',
  };
  const condition = { $lte: ['$dueAt', now] };
  const set = Object.entries(leaseFields).map(([name, value]) => [name, { $cond: [condition, value, `$${name}`] }]);
  const filter = { ...(key as object), ...OPEN_CALL_FILTER };
  const options = { sort: { position: 1 }, returnDocument: 'after', updatePipeline: true, ...WEAK_WRITE } as const;
  const first = await model.findOneAndUpdate(filter, [{ $set: Object.fromEntries(set) }], options).lean<FirstCall>();
  return { first, acquired: first?.holder === holder ? (first as unknown as C) : null };
};

const tryAcquire = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  key: K,
  slots: CallSlots,
) => {
  try {
    return await acquire(queue, key, slots);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return null;
  }
};

/**
 * Returns a free slot of the receiver and one of the project, or null if either has none. If the first query finds
 * none, marks the sequence as waiting and queries again, so that a slot that is released in the meantime is not missed.
 */
const findSlots = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  key: K,
): Promise<CallSlots | null> => {
  const free = await findFreeSlots(queue, key);
  if (free) return free;
  await markWaiting(queue, key);
  return findFreeSlots(queue, key);
};

/** Takes the next call of a sequence. Returns null if it is not due, another worker has it, or no slot is free. */
export const takeCall = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  key: K,
): Promise<C | null> => {
  let slots: CallSlots | null = randomSlots(queue);
  for (let collisions = 0; slots && collisions < MAX_SLOT_COLLISIONS; collisions += 1) {
    const result = await tryAcquire(queue, key, slots);
    if (result?.acquired) return result.acquired;
    if (result) {
      const { first } = result;
      if (first?.dueAt && !first.holder) await queue.enqueue(key, first.dueAt.getTime() - currentTimeMs());
      return null;
    }
    slots = await findSlots(queue, key);
  }
  return null;
};

/** The part of a queue's definition that is needed to complete calls. */
type CallStore = Pick<CallQueue<CallKey, TakenCall>, 'model' | 'slotField'>;

/** Renews the lease of a call that is being made. */
export const renewCall = async ({ model }: CallStore, call: TakenCall): Promise<void> => {
  await model.updateOne(heldCall(call), { $set: { dueAt: new Date(currentTimeMs() + LEASE_MS) } }, WEAK_WRITE);
};

/** Returns the fields that are removed from a call when an attempt ends. */
const attemptFields = (queue: CallStore) => ({ ...releasedFields(queue), waitingSince: 1 });

/** Completes a call that was made or has become obsolete, and stores `fields` in it. */
export const completeCall = async (queue: CallStore, call: TakenCall, fields: object = {}): Promise<void> => {
  const unset = { ...attemptFields(queue), dueAt: 1, error: 1 };
  await retryWhileUnavailable(() => queue.model.updateOne(heldCall(call), { $set: fields, $unset: unset }));
};

/** Gives up a failed call, and stores `fields` in it. */
export const abandonCall = async (queue: CallStore, call: TakenCall, fields: object): Promise<void> => {
  const unset = { ...attemptFields(queue), dueAt: 1 };
  await queue.model.updateOne(heldCall(call), { $set: { ...fields, given_up: true }, $unset: unset });
};

/** Schedules the next attempt at a failed call, and stores `fields` in it. */
export const retryCall = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  call: C,
  fields: { dueAt: Date; error: string },
): Promise<void> => {
  await queue.model.updateOne(heldCall(call), { $set: fields, $unset: attemptFields(queue) });
  await queue.enqueue(queue.keyOf(call), fields.dueAt.getTime() - currentTimeMs());
};

/**
 * Returns, with one query, whether the sequence has a due call, and whether any sequence of the project waits for a
 * slot.
 */
const nextCandidates = async <K extends CallKey, C extends TakenCall & K>({ model }: CallQueue<K, C>, key: K) => {
  const awaited = [{ $match: waitingFilter(key.id_project) }, { $limit: 1 }, { $project: { waitingSince: 1 } }];
  const found = await model.aggregate<{ waitingSince?: Date; own?: true }>([
    { $match: { ...key, ...OPEN_CALL_FILTER } },
    { $sort: { position: 1 } },
    { $limit: 1 },
    { $match: { dueAt: { $lte: currentTime() } } },
    { $project: { own: { $literal: true } } },
    { $unionWith: { coll: model.modelName, pipeline: awaited } },
  ]);
  return { hasDueCall: found.some(({ own }) => own), isSlotAwaited: found.some(({ waitingSince }) => waitingSince) };
};

/**
 * Returns the sequence whose next call can use the slots that `call` has released: one that waits for a slot or, if
 * there is none, the sequence of `call` if it has another due call. Returns null if no sequence needs the slots.
 */
export const findNext = async <K extends CallKey, C extends TakenCall & K>(
  queue: CallQueue<K, C>,
  call: C,
): Promise<K | null> => {
  const key = queue.keyOf(call);
  const { hasDueCall, isSlotAwaited } = await nextCandidates(queue, key);
  const other = isSlotAwaited ? await findLongestWaiting(queue, key.id_project) : null;
  if (hasDueCall && other) await markWaiting(queue, key);
  return other ?? (hasDueCall ? key : null);
};
