import { asOneEffect, withRequestId } from '#shared/context.ts';
import type { Hearer } from '#shared/domain/events/listeners.ts';
import type { EventRef } from '#shared/jobs.ts';

const LONGEST_MS = 60_000;

/** A listener and what it does with an event. */
export interface Listening extends Hearer {
  work(event: EventRef): Promise<void>;
}

/** Finds what a listener does. */
export type WorkOf = (listener: string) => Promise<Listening['work']>;

/** Hear one event: every try of it makes the same ids, its log lines carry the event's id, and it may not take for ever. */
export const hear = async ({ name, work }: Listening, ref: EventRef): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not done within ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  try {
    await Promise.race([late, withRequestId(ref.id, () => asOneEffect(`${name} ${ref.id}`, () => work(ref)))]);
  } finally {
    clearTimeout(timer);
  }
};
