/**
 * Queue of calls to bots. Each call is a record; the job that makes it is only a wake-up, which may be lost or run
 * twice. The calls of a conversation are made in the order of their events: later ones wait while the first open call
 * is being made or waits for its next attempt.
 */
import { ulid } from 'ulid';
import { isDuplicateKey } from '../../../database/unique-keys.ts';
import { AppError } from '../../../errors.ts';
import type { EventRef, Payload } from '../../../jobs.ts';
import { BotCall } from '../../../models/bot-call.ts';
import { enqueue } from '../../../queue/queue.ts';
import { errorText, retryDelayMs, writeDeadLetter } from '../../events/dead-letters.ts';
import {
  randomSlots,
  type BotConversation,
  findFreeSlots,
  findLongestWaiting,
  markWaiting,
  type BotCallSlots,
} from './bot-call-slots.ts';

const LISTENER = 'events.enqueue-bot-call';
/** A call whose lease is not renewed within this time is made again by another worker. */
const LEASE_MS = 6000;
/** How often the worker of a call renews its lease. */
export const RENEWAL_INTERVAL_MS = LEASE_MS / 3;
const MAX_ATTEMPTS = 5;
/** A failed call of this age is given up, so that a failing bot does not block its conversations. */
const MAX_AGE_MS = 3_600_000;
const MAX_SLOT_COLLISIONS = 20;
const SWEEP_PER_PROJECT = 16;

/** For writes whose loss is harmless, because the call is then recorded or taken again. */
const WEAK_WRITE = { writeConcern: { w: 1, j: false } } as const;

/** A call to record. */
export interface NewCall {
  event: EventRef;
  bot: string;
  conversation: string;
  /** Whether this call only delivers the hidden start message. */
  start?: boolean;
}

/** A call that a worker has taken. */
export interface DueCall extends BotConversation {
  _id: string;
  message: string;
  start?: boolean | null;
  event: string;
  position: string;
  holder: string;
  attemptsMade: number;
  createdAt: Date;
}

const OPEN_CALL_FILTER = { dueAt: { $exists: true } };
const LEASE_FIELDS = { holder: 1, bot_slot: 1, project_slot: 1 } as const;
const conversationOf = ({ id_project, bot, conversation }: BotConversation): BotConversation => ({
  id_project,
  bot,
  conversation,
});

/** Enqueues the job that makes the calls of a conversation; it runs after `delayMs`. */
export const enqueueCall = (key: BotConversation, delayMs = 0): Promise<void> =>
  enqueue('bots.call', conversationOf(key) satisfies Payload<'bots.call'>, delayMs);

/** Reopens a call that was given up, when its event is replayed. */
const reopenCall = (_id: string, id_project: string) => {
  const reopened = { $set: { dueAt: new Date(), attemptsMade: 0 }, $unset: { given_up: 1, error: 1 } } as const;
  return BotCall.updateOne({ _id, id_project, given_up: true }, reopened);
};

/** Whether the conversation has an earlier open call, whose worker will make the later calls. */
const isBehindOpenCall = async ({ event: { id_project, position }, bot, conversation }: NewCall): Promise<boolean> =>
  (await BotCall.exists({ id_project, bot, conversation, ...OPEN_CALL_FILTER, position: { $lt: position } })) !== null;

/**
 * Records a call, and enqueues it unless it is behind another. Idempotent per event and bot, except that a call that
 * was given up is reopened.
 */
export const recordCall = async (newCall: NewCall): Promise<void> => {
  const { event, bot, conversation, start } = newCall;
  const { id, id_project, record, position } = event;
  const _id = `${id} ${bot}`;
  const due = { dueAt: new Date(), attemptsMade: 0 };
  const call = { bot, conversation, message: record, ...(start && { start }), event: id, position, ...due };
  const written = await BotCall.updateOne({ _id, id_project }, { $setOnInsert: call }, { upsert: true, ...WEAK_WRITE });
  if (!written.upsertedCount) await reopenCall(_id, id_project);
  if (!(await isBehindOpenCall(newCall))) await enqueueCall({ id_project, bot, conversation });
};

/**
 * Takes the first open call of a conversation if it is due. The filter matches the first call even if it is not due, so
 * that no later call overtakes it; the pipeline changes it only if it is due. Throws a duplicate-key error if one of
 * the slots is taken.
 */
const acquire = async (key: BotConversation, slots: BotCallSlots) => {
  const holder = ulid();
  const now = new Date();
  const lease = new Date(now.getTime() + LEASE_MS);
  const leaseFields = {
    holder,
    ...slots,
    dueAt: lease,
    attemptsMade: { $add: ['$attemptsMade', 1] },
    waitingSince: '$$REMOVE',
  };
  const isDue = { $lte: ['$dueAt', now] };
  const set = Object.entries(leaseFields).map(([name, value]) => [name, { $cond: [isDue, value, `$${name}`] }]);
  const options = { sort: { position: 1 }, returnDocument: 'after', updatePipeline: true, ...WEAK_WRITE } as const;
  const first = await BotCall.findOneAndUpdate(
    { ...key, ...OPEN_CALL_FILTER },
    [{ $set: Object.fromEntries(set) }],
    options,
  ).lean();
  return { first, acquired: first?.holder === holder ? (first as unknown as DueCall) : null };
};

const tryAcquire = async (key: BotConversation, slots: BotCallSlots) => {
  try {
    return await acquire(key, slots);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return null;
  }
};

/**
 * Returns two free slots, or null if there are none. It marks the conversation as waiting and then looks again, so that
 * a slot that is released in between is not missed.
 */
const findSlots = async (key: BotConversation): Promise<BotCallSlots | null> => {
  const free = await findFreeSlots(key);
  if (free) return free;
  await markWaiting(key);
  return findFreeSlots(key);
};

/** Takes the next call of a conversation; null if none is due, another worker has it, or no slot is free. */
export const takeNextCall = async (key: BotConversation): Promise<DueCall | null> => {
  let slots: BotCallSlots | null = randomSlots();
  for (let collisions = 0; slots && collisions < MAX_SLOT_COLLISIONS; collisions += 1) {
    const result = await tryAcquire(key, slots);
    if (result?.acquired) return result.acquired;
    if (result) {
      const { first } = result;
      if (first?.dueAt && !first.holder) await enqueueCall(key, first.dueAt.getTime() - Date.now());
      return null;
    }
    slots = await findSlots(key);
  }
  return null;
};

const heldCall = ({ _id, id_project, holder }: DueCall) => ({ _id, id_project, holder });

/** Renews the lease of a call that is being made. */
export const renewLease = async (call: DueCall): Promise<void> => {
  await BotCall.updateOne(heldCall(call), { $set: { dueAt: new Date(Date.now() + LEASE_MS) } }, WEAK_WRITE);
};

/** Completes a call that was made or has become obsolete. */
export const finishCall = async (call: DueCall): Promise<void> => {
  await BotCall.updateOne(heldCall(call), { $unset: { ...LEASE_FIELDS, dueAt: 1, error: 1 } });
};

const giveUp = async (call: DueCall, error: unknown): Promise<void> => {
  const { id_project, event: id, message: record, position, attemptsMade } = call;
  await writeDeadLetter(
    LISTENER,
    { id, id_project, event: call.start ? 'request.create' : 'message.create', record, position },
    { attemptsMade, error },
  );
  const failed = { given_up: true, error: errorText(error) };
  await BotCall.updateOne(heldCall(call), { $set: failed, $unset: { ...LEASE_FIELDS, dueAt: 1 } });
};

const isLastAttempt = ({ attemptsMade, createdAt }: DueCall): boolean =>
  attemptsMade >= MAX_ATTEMPTS || Date.now() - createdAt.getTime() > MAX_AGE_MS;

/**
 * Records a failed attempt and schedules the next one. After the last attempt, or at once for an `AppError`, which a
 * retry cannot fix, the call becomes a dead letter.
 */
export const failCall = async (call: DueCall, error: unknown): Promise<void> => {
  if (error instanceof AppError || isLastAttempt(call)) return giveUp(call, error);
  const delayMs = retryDelayMs(call.attemptsMade);
  const retry = { dueAt: new Date(Date.now() + delayMs), error: errorText(error) };
  await BotCall.updateOne(heldCall(call), { $set: retry, $unset: LEASE_FIELDS });
  await enqueueCall(call, delayMs);
};

/** Returns, with one query, whether the conversation has a due call and whether conversations wait for a slot. */
const nextCandidates = async (key: BotConversation) => {
  const waiting = { id_project: key.id_project, waitingSince: { $exists: true } };
  const found = await BotCall.aggregate<{ waitingSince?: Date; own?: true }>([
    { $match: { ...key, ...OPEN_CALL_FILTER } },
    { $sort: { position: 1 } },
    { $limit: 1 },
    { $match: { dueAt: { $lte: new Date() } } },
    { $project: { own: { $literal: true } } },
    {
      $unionWith: {
        coll: BotCall.modelName,
        pipeline: [{ $match: waiting }, { $limit: 1 }, { $project: { waitingSince: 1 } }],
      },
    },
  ]);
  return { hasDueCall: found.some(({ own }) => own), isSlotAwaited: found.some(({ waitingSince }) => waitingSince) };
};

/**
 * Returns the conversation whose call uses the slots that `call` has released: one that waits for a slot, or else the
 * conversation of `call` if it has another due call.
 */
export const nextConversation = async (call: DueCall): Promise<BotConversation | null> => {
  const key = conversationOf(call);
  const { hasDueCall, isSlotAwaited } = await nextCandidates(key);
  const other = isSlotAwaited ? await findLongestWaiting(key.id_project) : null;
  if (hasDueCall && other) await markWaiting(key);
  return other ?? (hasDueCall ? key : null);
};

/** Returns conversations with overdue calls, a few per project: their wake-up was lost, or their worker died. */
export const findOverdue = async (): Promise<BotConversation[]> => {
  const first = { $firstN: { n: SWEEP_PER_PROJECT, input: '$_id' } };
  const projects = await BotCall.aggregate<{ conversations: BotConversation[] }>([
    { $match: { dueAt: { $lte: new Date() } } },
    {
      $group: {
        _id: { id_project: '$id_project', bot: '$bot', conversation: '$conversation' },
        dueAt: { $min: '$dueAt' },
      },
    },
    { $sort: { dueAt: 1 } },
    { $group: { _id: '$_id.id_project', conversations: first } },
  ]).option({ anyProject: true });
  return projects.flatMap(({ conversations }) => conversations);
};
