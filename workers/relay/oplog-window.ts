/** Warns when the relay is so far behind that MongoDB's oplog may soon drop unread writes. */
import mongoose from 'mongoose';
import { logger } from '#shared/logger.ts';
import { currentTimeMs } from '#shared/time/clock.ts';

const CHECK_INTERVAL_MS = 60_000;
let lastCheckedAt = 0;

/** The age of the oldest oplog entry, in seconds; undefined if the database user has no access to the oplog. */
const oplogSeconds = async (): Promise<number | undefined> => {
  const findOldest = { find: 'oplog.rs', sort: { $natural: 1 }, limit: 1, projection: { ts: 1 } };
  try {
    const { cursor } = await mongoose.connection.getClient().db('local').command(findOldest);
    const [oldest] = cursor.firstBatch as { ts: { high: number } }[];
    return oldest && currentTimeMs() / 1000 - oldest.ts.high;
  } catch {
    return undefined; // without access, a loss of unread writes is noticed only after it has occurred
  }
};

/** Logs an error, at most once a minute, when the relay is behind by at least half of the oplog's time window. */
export const warnIfBehindOplog = async (relayedUntil: Date | null | undefined): Promise<void> => {
  const lagSeconds = relayedUntil ? (currentTimeMs() - relayedUntil.getTime()) / 1000 : 0;
  if (lagSeconds < 1 || currentTimeMs() - lastCheckedAt < CHECK_INTERVAL_MS) return;
  lastCheckedAt = currentTimeMs();
  const windowSeconds = await oplogSeconds();
  if (windowSeconds === undefined || lagSeconds < windowSeconds / 2) return;
  logger.error(
    { lagSeconds, windowSeconds },
    'the relay lags by at least half of the oplog window; events are lost if it lags by the whole window',
  );
};
