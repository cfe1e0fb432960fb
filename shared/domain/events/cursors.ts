/** Cursors: positions in the changes log, opaque to clients. */
import { z } from 'zod';
import { config } from '../../config.ts';
import { currentTimeMs } from '../../time/clock.ts';

/** The cursor before the oldest change in the log. */
export const OLDEST_CURSOR = '0';

/** The schema of a cursor in a request. */
export const Cursor = z
  .string()
  .max(1000)
  .regex(/^(0|82[0-9A-F]{8,}\.\d{3,})$/, 'must be a cursor from an earlier response, or 0');

/**
 * Returns the cursor before all changes of one second, given in seconds since 1970. Cursors are resume tokens of
 * MongoDB: they begin with `82` and a time in seconds, and sort as strings.
 */
const cursorAtSecond = (seconds: number): string =>
  `82${Math.floor(seconds).toString(16).toUpperCase().padStart(8, '0')}.000`;

/** Returns the time at which the change at a cursor was committed, in epoch seconds. */
const secondsOfCursor = (cursor: string): number => Number.parseInt(cursor.slice(2, 10), 16);

const nowSeconds = (): number => currentTimeMs() / 1000;

/** Returns the later of two cursors. */
export const laterCursor = (one: string, other: string): string => (one > other ? one : other);

/** Returns whether changes after the cursor may have expired from the log. */
export const isTooOld = (cursor: string): boolean =>
  cursor !== OLDEST_CURSOR && secondsOfCursor(cursor) < nowSeconds() - config.CHANGES_TTL_SECONDS;

/** Returns the time since the change at a cursor was committed, in seconds. */
export const secondsSince = (cursor: string): number => nowSeconds() - secondsOfCursor(cursor);

/**
 * Replaces a cursor older than half of CHANGES_TTL_SECONDS with one of this age, so that a client in a project with few
 * changes has at least the other half until its cursor expires. Must be called only if no change follows the cursor.
 */
export const refreshCursor = (cursor: string): string => {
  const halfway = cursorAtSecond(nowSeconds() - config.CHANGES_TTL_SECONDS / 2);
  return cursor > halfway ? cursor : halfway;
};
