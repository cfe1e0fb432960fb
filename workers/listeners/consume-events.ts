/** Runs a listener on new events of the changes log, batch by batch. */
import { config } from '#shared/config.ts';
import {
  blocksKey,
  type DeferredEntry,
  deferFailed,
  findDeferred,
  newDeferral,
  renewDeferral,
  resolveDeferred,
  storeDeferrals,
} from '#shared/domain/events/deferred-events.ts';
import { advanceCursor, cursorOf, type OrderedEvent, readEvents } from '#shared/domain/events/listeners.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { currentTime, currentTimeMs } from '#shared/time/clock.ts';
import { shutdownSignal } from '../shutdown.ts';
import { handleEvent, type RunnableListener } from './handle-event.ts';
import { handleWholeBatch } from './handle-whole-batch.ts';
import { deferBacklogs, deferSlowProject, type SplitBatch, splitBatch } from './split-batch.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
/** Time limit of a batch. Events that are not handled within this time are deferred. */
const BATCH_TIMEOUT_MS = 2000;
/** Another worker retries an event whose handler is still running if the deferral is not renewed within this time. */
const LEASE_MS = 6000;

/** The deadline of a batch. */
interface BatchDeadline {
  expired: Promise<'expired'>;
  isExpired(): boolean;
}

const unfinishedWork = new Set<Promise<void>>();

/** Waits for handlers that continue after the end of their batch. */
export const waitForUnfinishedWork = async (): Promise<void> => {
  await Promise.allSettled(unfinishedWork);
};

const handleOrDefer = async (listener: RunnableListener, ref: OrderedEvent): Promise<DeferredEntry | null> => {
  try {
    await handleEvent(listener, ref);
    return null;
  } catch (error) {
    return deferFailed(listener, ref, { attemptsMade: 0, waitingSince: currentTime(), error });
  }
};

const resolveWhenDone = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  work: Promise<DeferredEntry | null>,
): Promise<void> => {
  try {
    if (!(await work)) await resolveDeferred(listener, [ref]);
    await enqueue('events.retry-deferred', { listener: listener.name, id_project: ref.id_project });
  } catch (error) {
    logger.warn(
      { listener: listener.name, event: ref.id, err: error },
      'result of a deferred event not stored; the event will be retried',
    );
  }
};

/**
 * Defers an event whose handler is still running. Renews the deferral until the handler ends; if this process dies,
 * another worker soon retries the event.
 */
const deferRunning = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  work: Promise<DeferredEntry | null>,
): Promise<DeferredEntry> => {
  deferSlowProject(listener, ref.id_project);
  const leaseEnd = () => new Date(currentTimeMs() + LEASE_MS);
  const renew = () =>
    renewDeferral(listener, ref, leaseEnd()).catch((error: Error) =>
      logger.warn({ err: error.message }, 'deferral of an event in progress not renewed'),
    );
  const deferred = newDeferral(ref, { dueAt: leaseEnd() });
  await storeDeferrals(listener, [deferred]);
  const renewTimer = setInterval(renew, LEASE_MS / 3);
  const done = resolveWhenDone(listener, ref, work).finally(() => {
    clearInterval(renewTimer);
    unfinishedWork.delete(done);
  });
  unfinishedWork.add(done);
  return deferred;
};

const handleBeforeDeadline = async (
  listener: RunnableListener,
  ref: OrderedEvent,
  deadline: BatchDeadline,
): Promise<DeferredEntry | null> => {
  const work = handleOrDefer(listener, ref);
  const result = await Promise.race([work, deadline.expired]);
  return result === 'expired' ? deferRunning(listener, ref, work) : result;
};

/** New and deferred events of one ordering key, with the deadline of the batch. */
interface KeyedEvents {
  events: OrderedEvent[];
  deferred: DeferredEntry[];
  deadline: BatchDeadline;
}

/** Newly deferred events: `stored` ones failed or are still in progress; `unstored` ones were not tried. */
interface Deferrals {
  stored: DeferredEntry[];
  unstored: DeferredEntry[];
}

/** Handles the new events of one ordering key in order. Defers those behind an event that blocks the key. */
const handleInOrder = async (
  listener: RunnableListener,
  { events, deferred, deadline }: KeyedEvents,
): Promise<Deferrals> => {
  const stored: DeferredEntry[] = [];
  const unstored: DeferredEntry[] = [];
  for (const ref of events) {
    const pending = [...deferred, ...stored, ...unstored];
    if (pending.some(({ id }) => id === ref.id)) continue;
    const blocking = pending.find((entry) => entry.position < ref.position && blocksKey(entry));
    if (blocking || deadline.isExpired()) {
      unstored.push(newDeferral(ref, { waitingSince: blocking?.waitingSince }));
      continue;
    }
    const failed = await handleBeforeDeadline(listener, ref, deadline);
    if (failed) stored.push(failed);
  }
  return { stored, unstored };
};

/** Starts the timer for the deadline of a batch; call `end` when the batch is done. */
const startDeadline = (ms: number) => {
  let hasExpired = false;
  const { promise: expired, resolve } = Promise.withResolvers<'expired'>();
  const timer = setTimeout(() => {
    hasExpired = true;
    resolve('expired');
  }, ms);
  return { expired, isExpired: () => hasExpired, end: () => clearTimeout(timer) };
};

/** Handles events: in order within one ordering key, and concurrently across keys. */
const handleEvents = async (listener: RunnableListener, events: OrderedEvent[]): Promise<Deferrals[]> => {
  const byKey = Map.groupBy(events, ({ orderingKey }) => orderingKey);
  const deferred = await findDeferred(listener, [...byKey.keys()]);
  deferBacklogs(listener, deferred);
  const deferredByKey = Map.groupBy(deferred, ({ orderingKey }) => orderingKey);
  const deadline = startDeadline(listener.limits?.batchMs ?? BATCH_TIMEOUT_MS);
  const handled = [...byKey].map(([key, keyEvents]) =>
    handleInOrder(listener, { events: keyEvents, deferred: deferredByKey.get(key) ?? [], deadline }),
  );
  return Promise.all(handled).finally(deadline.end);
};

/** Enqueues a retry job for each project with deferred events. */
const enqueueRetries = async ({ name: listener }: RunnableListener, deferred: DeferredEntry[]): Promise<void> => {
  for (const id_project of new Set(deferred.map((entry) => entry.id_project)))
    await enqueue('events.retry-deferred', { listener, id_project });
};

/**
 * Handles the first events of each project and defers the others. Stores the deferrals only after the first events are
 * handled, so that the retry job cannot overtake an earlier event.
 */
const handleBatch = async (listener: RunnableListener, { toHandle, toDefer }: SplitBatch): Promise<void> => {
  const deferrals = await handleEvents(listener, toHandle);
  deferrals.push({ stored: [], unstored: toDefer.map((ref) => newDeferral(ref)) });
  await storeDeferrals(
    listener,
    deferrals.flatMap(({ unstored }) => unstored),
  );
  await enqueueRetries(
    listener,
    deferrals.flatMap(({ stored, unstored }) => [...stored, ...unstored]),
  );
};

/** Handles a batch or the first part of it. Returns the last event that was handled or deferred. */
const handleNewEvents = async (
  listener: RunnableListener,
  first: OrderedEvent,
  batch: Parameters<typeof splitBatch>[2],
): Promise<OrderedEvent> => {
  if (listener.isBatch) {
    await enqueueRetries(listener, await handleWholeBatch(listener, batch.events));
    return batch.events.at(-1) ?? first;
  }
  const split = splitBatch(listener, first, batch);
  await handleBatch(listener, split);
  return split.last;
};

/**
 * Runs a listener on new events, batch by batch, for one time slice. Returns whether the slice ended before the
 * end of the log was reached; for events that are appended later, a wake-up enqueues the next job. The cursor advances
 * once every event of a batch is handled or deferred. If a worker is killed, another one handles its batch again. This
 * is safe because an effect has the same id each time, so two jobs of one listener may also run at the same time.
 */
export const consumeEvents = async (listener: RunnableListener): Promise<boolean> => {
  const end = performance.now() + TIME_SLICE_MS;
  let cursor: string | undefined;
  while (performance.now() < end && !shutdownSignal.aborted) {
    const from: Promise<string> = cursor === undefined ? cursorOf(listener.name) : Promise.resolve(cursor);
    const { events, durationSeconds, isFull } = await readEvents(listener, from);
    const [first] = events;
    if (!first) return false;
    const last = await handleNewEvents(listener, first, { events, durationSeconds });
    const to = last.position;
    cursor = (await advanceCursor(listener.name, { from: await from, to })) ? to : undefined;
    if (cursor && !isFull && last === events.at(-1)) return false;
  }
  return true;
};
