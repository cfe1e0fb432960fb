import { asOneEffect, withRequestId } from '#shared/context.ts';
import type { Hearer } from '#shared/domain/events/listeners.ts';
import type { EventRef } from '#shared/jobs.ts';
import { leaving } from '../stopping.ts';

/** The longest that one attempt at an event may take. */
export const LONGEST_MS = 60_000;

/** A listener and its work on an event, which stops when the signal says so. */
export interface Listening extends Hearer {
  work(event: EventRef, signal: AbortSignal): Promise<void>;
  /** Milliseconds that an attempt may take, and that a page of events waits for it; both have defaults. */
  limits?: { attemptMs?: number; pageMs?: number };
}

/** Finds what a listener does. */
export type WorkOf = (listener: string) => Promise<Listening['work']>;

/** Hear one event: every try of it makes the same ids, its log lines carry the event's id. After its time the work is aborted. */
export const hear = async ({ name, work, limits }: Listening, ref: EventRef): Promise<void> => {
  const ms = limits?.attemptMs ?? LONGEST_MS;
  const overtime = new AbortController();
  const timer = setTimeout(() => overtime.abort(new Error(`Not done within ${ms / 1000} s`)), ms);
  const signal = AbortSignal.any([overtime.signal, leaving]);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([
      aborted,
      withRequestId(ref.id, () => asOneEffect(`${name} ${ref.id}`, () => work(ref, signal))),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};
