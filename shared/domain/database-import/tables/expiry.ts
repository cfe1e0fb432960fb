/** The expiry of records that are kept for a limited time. */
import type { Fields } from '../fields.ts';

/** Returns a function that returns the time at which a record expires: `seconds` after its creation. */
export const expiresAfter =
  (seconds: number) =>
  ({ createdAt }: Fields): Date =>
    new Date((createdAt as Date).getTime() + seconds * 1000);
