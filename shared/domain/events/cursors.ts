/** Cursors: places in the changes log, opaque to whoever holds one (decision 54). */
import { z } from 'zod';
import { config } from '../../config.ts';

/** The oldest change that is kept. */
export const OLDEST = '0';

/** A cursor as a caller sends it. */
export const Cursor = z
  .string()
  .max(1000)
  .regex(/^(0|82[0-9A-F]{8,}\.\d{3,})$/, 'must be a cursor that an answer gave, or 0');

/** The place before everything that was committed in that second: a resume token begins with its time, and tokens sort as text. */
const momentOf = (seconds: number): string =>
  `82${Math.floor(seconds).toString(16).toUpperCase().padStart(8, '0')}.000`;

/** The second of the commit that a cursor stands for. */
const secondsOf = (cursor: string): number => Number.parseInt(cursor.slice(2, 10), 16);

const now = (): number => Date.now() / 1000;

/** True when changes after the cursor may be gone from the log by now. */
export const isTooOld = (cursor: string): boolean =>
  cursor !== OLDEST && secondsOf(cursor) < now() - config.CHANGES_TTL;

/** The same place for somebody whom nothing happened to since: so that no cursor grows too old where little happens. */
export const refreshed = (cursor: string): string => {
  const halfway = momentOf(now() - config.CHANGES_TTL / 2);
  return cursor > halfway ? cursor : halfway;
};
