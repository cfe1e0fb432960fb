/** Retries a listener's deferred events of one project. */
import { config } from '#shared/config.ts';
import {
  blocksKey,
  type DeferredEntry,
  deferFailed,
  findDueKeys,
  findFirstDeferred,
  msUntilDue,
  resolveDeferred,
} from '#shared/domain/events/deferred-events.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { shutdownSignal } from '../shutdown.ts';
import { handleEvent, type RunnableListener } from './handle-event.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
/** Maximum number of ordering keys of one project that are retried concurrently. */
const CONCURRENT_KEYS = 4;
/** Maximum number of events of one ordering key that are read together and, once handled, deleted together. */
const EVENTS_PER_KEY = 100;

/** Tries one event again. Returns true if it was handled or became a dead letter, false if it stays deferred. */
const retryEvent = async (listener: RunnableListener, entry: DeferredEntry): Promise<boolean> => {
  try {
    await handleEvent(listener, entry);
    return true;
  } catch (error) {
    return !(await deferFailed(listener, entry, { ...entry, error }));
  }
};

/**
 * Retries the first events of an ordering key in order, until one stays deferred and blocks the later ones.
 * Returns the number of events that were handled or became dead letters.
 */
const retryKey = async (listener: RunnableListener, orderingKey: string, isTimeUp: () => boolean): Promise<number> => {
  const resolved: DeferredEntry[] = [];
  for (const entry of await findFirstDeferred(listener, orderingKey, EVENTS_PER_KEY)) {
    if (isTimeUp()) break;
    const isDue = entry.dueAt.getTime() <= currentTimeMs();
    const isResolved = isDue && (await retryEvent(listener, entry));
    if (isResolved) resolved.push(entry);
    // `entry` was read before the attempt. If it had none then, its first attempt has just failed, or another worker is
    // still making it, so it blocks its key as after one failure: for at most a minute.
    else if (blocksKey({ ...entry, attemptsMade: entry.attemptsMade || 1 })) break;
  }
  await resolveDeferred(listener, resolved);
  return resolved.length;
};

/**
 * Retries a project's due events for one time slice. Returns the milliseconds until the next deferred event is due, or
 * null if there is none.
 */
export const retryEvents = async (listener: RunnableListener, id_project: string): Promise<number | null> => {
  const end = performance.now() + TIME_SLICE_MS;
  const isTimeUp = () => performance.now() >= end || shutdownSignal.aborted;
  const retryKeys = async (keys: string[]): Promise<number> => {
    let resolved = 0;
    for (let orderingKey = keys.shift(); orderingKey !== undefined && !isTimeUp(); orderingKey = keys.shift())
      resolved += await retryKey(listener, orderingKey, isTimeUp);
    return resolved;
  };
  let resolved: number[];
  do {
    const keys = await findDueKeys(listener, id_project);
    resolved = await Promise.all(Array.from({ length: CONCURRENT_KEYS }, () => retryKeys(keys)));
  } while (Math.max(...resolved) > 0 && !isTimeUp());
  return msUntilDue(listener, id_project);
};
