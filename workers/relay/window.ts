/** How far back MongoDB's log reaches, for a warning while there is still time. */
import mongoose from 'mongoose';
import { logger } from '#shared/logger.ts';

const LOOK_MS = 60_000;
let looked = 0;

/** Seconds since the oldest entry; undefined where this user may not look. */
const secondsKept = async (): Promise<number | undefined> => {
  const first = { find: 'oplog.rs', sort: { $natural: 1 }, limit: 1, projection: { ts: 1 } };
  try {
    const { cursor } = await mongoose.connection.getClient().db('local').command(first);
    const [oldest] = cursor.firstBatch as { ts: { high: number } }[];
    return oldest && Date.now() / 1000 - oldest.ts.high;
  } catch {
    return undefined; // a user of this database alone; then the gap itself is the first to tell
  }
};

/** Warn, at most once a minute, when the relay is behind by half of what the log keeps. */
export const watchWindow = async (complete: Date | null | undefined): Promise<void> => {
  const behind = complete ? (Date.now() - complete.getTime()) / 1000 : 0;
  if (behind < 1 || Date.now() - looked < LOOK_MS) return;
  looked = Date.now();
  const kept = await secondsKept();
  if (kept === undefined || behind < kept / 2) return;
  logger.error({ behind, kept }, 'the relay is behind by half of what the oplog keeps (seconds); soon events are lost');
};
