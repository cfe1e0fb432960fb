import { withCorrelationId, withIdempotentIds } from '#shared/context.ts';
import type { ListenerDefinition, OrderedEvent } from '#shared/domain/events/listeners.ts';
import type { EventRef } from '#shared/job-definitions.ts';
import { forceStopSignal } from '../shutdown.ts';

/** Default time limit of one attempt to handle an event. */
export const MAX_ATTEMPT_MS = 60_000;

/** The handler of a batch listener. */
export type BatchHandler = (batch: { events: OrderedEvent[] }, signal: AbortSignal) => Promise<void>;

/**
 * A listener with its handler, which must stop when the signal is aborted. If `isBatch` is set, the handler is a
 * `BatchHandler`.
 */
export interface RunnableListener extends ListenerDefinition {
  handle(event: EventRef, signal: AbortSignal): Promise<void>;
  /** Time limits of an attempt and of a batch of events, in milliseconds. */
  limits?: { attemptMs?: number; batchMs?: number };
}

/** Finds the handler of a listener by its name in the job registry. */
export type HandlerLookup = (listener: string) => Promise<RunnableListener['handle']>;

/** Runs the handler of a batch listener. */
export const runBatchHandler = ({ handle }: RunnableListener, events: OrderedEvent[], signal: AbortSignal) =>
  (handle as unknown as BatchHandler)({ events }, signal);

/**
 * Runs a listener's handler on one event. Every attempt creates records with the same ids, and log lines contain the
 * event's id. A batch listener receives a batch of this one event. Throws the handler's error. At the time limit,
 * aborts the handler and throws an error.
 */
export const handleEvent = async (listener: RunnableListener, ref: EventRef): Promise<void> => {
  const { name, isBatch, limits } = listener;
  const handle = (signal: AbortSignal) =>
    isBatch ? runBatchHandler(listener, [ref as OrderedEvent], signal) : listener.handle(ref, signal);
  const limitMs = limits?.attemptMs ?? MAX_ATTEMPT_MS;
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new Error(`The handler did not finish within ${limitMs / 1000} s`)),
    limitMs,
  );
  const signal = AbortSignal.any([timeout.signal, forceStopSignal]);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([
      aborted,
      withCorrelationId(ref.id, () => withIdempotentIds(`${name} ${ref.id}`, () => handle(signal))),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};
