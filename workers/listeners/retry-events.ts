/** Retries a listener's deferred events of one project. */
import { config } from '#shared/config.ts';
import {
  blocksKey,
  type DeferredEntry,
  deferFailed,
  dueKeys,
  findDeferred,
  msToNextAttempt,
  resolveDeferred,
} from '#shared/domain/events/deferred-events.ts';
import { shutdownSignal } from '../shutdown.ts';
import { handleEvent, type RunnableListener } from './handle-event.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
/** Ordering keys of one project that are retried in parallel. */
const CONCURRENT_KEYS = 4;
/** Events of one ordering key that are read at once. */
const EVENTS_PER_KEY = 100;

/** Retries one event. Returns true if it was handled or became a dead letter, false if it stays deferred. */
const retryEvent = async (listener: RunnableListener, entry: DeferredEntry): Promise<boolean> => {
  try {
    await handleEvent(listener, entry);
  } catch (error) {
    if (await deferFailed(listener, entry, { ...entry, error })) return false;
  }
  await resolveDeferred(listener, entry);
  return true;
};

/** Retries the events of an ordering key in order, until one of them still blocks the events after it. */
const retryKey = async (listener: RunnableListener, orderingKey: string, isTimeUp: () => boolean): Promise<void> => {
  for (const entry of await findDeferred(listener, [orderingKey], EVENTS_PER_KEY)) {
    if (isTimeUp()) return;
    const isDue = entry.nextAttemptAt.getTime() <= Date.now();
    const isResolved = isDue && (await retryEvent(listener, entry));
    if (!isResolved && blocksKey({ ...entry, attemptsMade: entry.attemptsMade || 1 })) return;
  }
};

/**
 * Retries a project's due events for one time slice. Returns the milliseconds until the next is due, or null if none is
 * deferred.
 */
export const retryEvents = async (listener: RunnableListener, id_project: string): Promise<number | null> => {
  const end = performance.now() + TIME_SLICE_MS;
  const isTimeUp = () => performance.now() >= end || shutdownSignal.aborted;
  const keys = await dueKeys(listener, id_project);
  const retryKeys = async (): Promise<void> => {
    for (let orderingKey = keys.shift(); orderingKey !== undefined && !isTimeUp(); orderingKey = keys.shift())
      await retryKey(listener, orderingKey, isTimeUp);
  };
  await Promise.all(Array.from({ length: CONCURRENT_KEYS }, retryKeys));
  return msToNextAttempt(listener, id_project);
};
