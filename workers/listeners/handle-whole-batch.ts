/** Runs a batch listener, which handles all events of a batch together. */
import { type DeferredEntry, deferFailed } from '#shared/domain/events/deferred-events.ts';
import type { OrderedEvent } from '#shared/domain/events/listeners.ts';
import { logger } from '#shared/logger.ts';
import { currentTime } from '#shared/time/clock.ts';
import { isTransientError } from '../relay/transient-errors.ts';
import { forceStopSignal } from '../shutdown.ts';
import { type RunnableListener, runBatchHandler } from './handle-event.ts';

const deferEvent = async (
  listener: RunnableListener,
  event: OrderedEvent,
  error: unknown,
): Promise<DeferredEntry[]> => {
  const { name } = listener;
  logger.warn({ listener: name, event: event.id, err: error }, 'deferred an event that makes its batch fail');
  const deferred = await deferFailed(listener, event, { attemptsMade: 0, waitingSince: currentTime(), error });
  return deferred ? [deferred] : [];
};

/**
 * Handles the events of a batch. If the handler fails, halves the batch until the events that cause the failure are
 * isolated, and defers these events. Returns the deferred events. Throws if a retry of the whole batch may succeed,
 * because a database is unavailable or the process is stopping.
 */
export const handleWholeBatch = async (
  listener: RunnableListener,
  events: OrderedEvent[],
): Promise<DeferredEntry[]> => {
  try {
    await runBatchHandler(listener, events, forceStopSignal);
    return [];
  } catch (error) {
    const [first] = events;
    if (!first || isTransientError(error) || forceStopSignal.aborted) throw error;
    if (events.length === 1) return deferEvent(listener, first, error);
    const half = Math.ceil(events.length / 2);
    return [
      ...(await handleWholeBatch(listener, events.slice(0, half))),
      ...(await handleWholeBatch(listener, events.slice(half))),
    ];
  }
};
