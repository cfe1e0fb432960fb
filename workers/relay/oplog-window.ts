/** Warns when the relay is so far behind that MongoDB's oplog may soon drop unread writes. */
import mongoose from 'mongoose';
import { logger } from '#shared/logger.ts';

const CHECK_INTERVAL_MS = 60_000;
let lastCheckedAt = 0;

/** Age of the oldest oplog entry in seconds; undefined if the database user may not read the oplog. */
const oplogSeconds = async (): Promise<number | undefined> => {
  const first = { find: 'oplog.rs', sort: { $natural: 1 }, limit: 1, projection: { ts: 1 } };
  try {
    const { cursor } = await mongoose.connection.getClient().db('local').command(first);
    const [oldest] = cursor.firstBatch as { ts: { high: number } }[];
    return oldest && Date.now() / 1000 - oldest.ts.high;
  } catch {
    return undefined; // the user has access to this database only; a gap is then detected when it occurs
  }
};

/** Logs an error, at most once a minute, when the relay is behind by half of the oplog's time window. */
export const warnOplogWindow = async (relayedUntil: Date | null | undefined): Promise<void> => {
  const behind = relayedUntil ? (Date.now() - relayedUntil.getTime()) / 1000 : 0;
  if (behind < 1 || Date.now() - lastCheckedAt < CHECK_INTERVAL_MS) return;
  lastCheckedAt = Date.now();
  const windowSeconds = await oplogSeconds();
  if (windowSeconds === undefined || behind < windowSeconds / 2) return;
  logger.error(
    { behind, windowSeconds },
    'the relay is behind by half of the oplog window (seconds); events will be lost',
  );
};
