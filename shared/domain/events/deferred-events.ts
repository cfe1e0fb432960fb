/**
 * Deferred events: events that a listener has failed to handle, is still handling or has not tried yet. While
 * `blocksKey` returns true for a deferred event, the event blocks later events with the same ordering key, and no
 * others.
 */
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { insertMissing } from '../../database/raw-write.ts';
import { AppError } from '../../errors.ts';
import { DeadLetter } from '../../models/dead-letter.ts';
import { DeferredEvent } from '../../models/deferred-event.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { errorText, retryDelayMs, writeDeadLetter } from './dead-letters.ts';
import { type ListenerDefinition, listeners, type OrderedEvent } from './listeners.ts';

/** How long an event with a failed attempt blocks later events with its ordering key, counted from `waitingSince`. */
const MAX_BLOCKING_MS = 60_000;

/** An event whose handling is deferred. */
export interface DeferredEntry extends OrderedEvent {
  attemptsMade: number;
  dueAt: Date;
  waitingSince: Date;
}

const DEFERRED_FIELDS = {
  ...{ _id: 0, id_project: 1, event: 1, id: 1, record: 1, position: 1, orderingKey: 1 },
  ...{ attemptsMade: 1, dueAt: 1, waitingSince: 1 },
} as const;
const deferredId = ({ name }: ListenerDefinition, { id }: OrderedEvent): string => `${name} ${id}`;

/**
 * Returns whether a deferred event blocks later events with its ordering key. It blocks them until its first failed
 * attempt, and then until one minute after `waitingSince`.
 */
export const blocksKey = ({ attemptsMade, waitingSince }: DeferredEntry): boolean =>
  !attemptsMade || waitingSince.getTime() > currentTimeMs() - MAX_BLOCKING_MS;

interface DeferredQuery {
  listener: string;
  keys: string[];
}

/** Reads the deferred events of several listeners with one command. */
const readDeferred = async (queries: DeferredQuery[]): Promise<DeferredEntry[][]> => {
  const listeners = queries.map(({ listener }) => listener);
  const keys = [...new Set(queries.flatMap((query) => query.keys))];
  const found = await DeferredEvent.find(
    { listener: { $in: listeners }, orderingKey: { $in: keys } },
    { ...DEFERRED_FIELDS, listener: 1 },
  )
    .sort({ position: 1 })
    .lean();
  return queries.map(({ listener, keys: wanted }) =>
    found.filter((entry) => entry.listener === listener && wanted.includes(entry.orderingKey)),
  );
};

const readDeferredTogether = batchCalls(readDeferred);

/** Returns all deferred events with the given ordering keys, in log order. */
export const findDeferred = async ({ name }: ListenerDefinition, keys: string[]): Promise<DeferredEntry[]> =>
  keys.length ? readDeferredTogether({ listener: name, keys }) : [];

/** Returns the first `limit` deferred events with an ordering key, in log order. */
export const findFirstDeferred = (
  { name }: ListenerDefinition,
  orderingKey: string,
  limit: number,
): Promise<DeferredEntry[]> =>
  DeferredEvent.find({ listener: name, orderingKey }, DEFERRED_FIELDS).sort({ position: 1 }).limit(limit).lean();

/**
 * The time since which events with this ordering key have been blocked, and the time from which a worker may take the
 * event. Both default to now. An event that is deferred behind a blocking event inherits its `waitingSince`.
 */
interface DeferralTimes {
  waitingSince?: Date | undefined;
  dueAt?: Date;
}

/** Builds the deferral of an event without a finished attempt: its first attempt is running or has not started. */
export const newDeferral = (ref: OrderedEvent, times: DeferralTimes = {}): DeferredEntry => ({
  ...ref,
  attemptsMade: 0,
  dueAt: times.dueAt ?? currentTime(),
  waitingSince: times.waitingSince ?? currentTime(),
});

/** Stores deferrals in one command. An event that is already deferred stays unchanged. */
export const storeDeferrals = async (listener: ListenerDefinition, deferrals: DeferredEntry[]): Promise<void> => {
  const now = currentTime();
  const stored = { listener: listener.name, __v: 0, createdAt: now, updatedAt: now };
  if (!deferrals.length) return;
  await insertMissing(
    DeferredEvent,
    deferrals.map((each) => ({ _id: deferredId(listener, each), ...stored, ...each })),
  );
};

/** Extends the leases of several events with one command, to the latest of the requested times. */
const renewTogether = batchCalls(async (renewals: { id: string; dueAt: Date }[]) => {
  const dueAt = new Date(Math.max(...renewals.map((renewal) => renewal.dueAt.getTime())));
  const filter = { _id: { $in: renewals.map(({ id }) => id) }, attemptsMade: 0 };
  await DeferredEvent.updateMany(filter, { $set: { dueAt } });
  return renewals.map(() => undefined);
});

/**
 * Extends the lease of an event whose first attempt is still running. No other worker takes the event before `dueAt`.
 */
export const renewDeferral = async (listener: ListenerDefinition, ref: OrderedEvent, dueAt: Date): Promise<void> => {
  await renewTogether({ id: deferredId(listener, ref), dueAt });
};

/** A failed attempt to handle an event. */
interface FailedAttempt {
  /** Number of attempts before this one. */
  attemptsMade: number;
  waitingSince: Date;
  error: unknown;
}

const deleteTogether = batchCalls(async (ids: string[][]) => {
  await DeferredEvent.deleteMany({ _id: { $in: ids.flat() } });
  return ids.map(() => undefined);
});

/** Deletes the deferrals of events that have been handled or given up on. */
export const resolveDeferred = async (listener: ListenerDefinition, refs: OrderedEvent[]): Promise<void> => {
  if (refs.length) await deleteTogether(refs.map((ref) => deferredId(listener, ref)));
};

/**
 * Defers an event after a failed attempt and returns the deferral. After the last attempt, or for an `AppError`, which
 * a retry cannot fix, the event becomes a dead letter instead and the result is null.
 */
export const deferFailed = async (
  listener: ListenerDefinition,
  ref: OrderedEvent,
  failure: FailedAttempt,
): Promise<DeferredEntry | null> => {
  const { waitingSince, error } = failure;
  const attemptsMade = failure.attemptsMade + 1;
  if (error instanceof AppError || attemptsMade >= listener.attempts) {
    await writeDeadLetter(listener.name, ref, { attemptsMade, error });
    return null;
  }
  const dueAt = new Date(currentTimeMs() + retryDelayMs(attemptsMade));
  const { id_project, event, id, record, position, orderingKey } = ref;
  await DeferredEvent.updateOne(
    { _id: deferredId(listener, ref) },
    {
      $set: { attemptsMade, dueAt, waitingSince, error: errorText(error) },
      $setOnInsert: { listener: listener.name, id_project, event, id, record, position, orderingKey },
    },
    { upsert: true },
  );
  return { id_project, event, id, record, position, orderingKey, attemptsMade, dueAt, waitingSince };
};

/** Returns the ordering keys of a project that have a due event. */
export const findDueKeys = ({ name }: ListenerDefinition, id_project: string): Promise<string[]> =>
  DeferredEvent.distinct('orderingKey', { listener: name, id_project, dueAt: { $lte: currentTime() } });

/** Returns the listeners and projects that have a due event. */
export const findDueProjects = async (): Promise<{ listener: string; id_project: string }[]> => {
  const due = await DeferredEvent.aggregate<{ _id: { listener: string; id_project: string } }>([
    { $match: { listener: { $in: listeners.map(({ name }) => name) }, dueAt: { $lte: currentTime() } } },
    { $group: { _id: { listener: '$listener', id_project: '$id_project' } } },
  ]);
  return due.map(({ _id }) => _id);
};

/** Returns the milliseconds until a project's next deferred event is due; null if there is none. */
export const msUntilDue = async ({ name }: ListenerDefinition, id_project: string): Promise<number | null> => {
  const first = await DeferredEvent.findOne({ listener: name, id_project }, { dueAt: 1 }).sort({ dueAt: 1 }).lean();
  return first && Math.max(0, first.dueAt.getTime() - currentTimeMs());
};

/** Counts the deferred events and the dead letters of a listener. */
export const countUnhandled = async ({ name }: ListenerDefinition) => ({
  deferred: await DeferredEvent.countDocuments({ listener: name }),
  dead: await DeadLetter.countDocuments({ failedBy: name }),
});
