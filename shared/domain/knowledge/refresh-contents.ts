/** Queues contents whose source must be fetched again because of their refresh rate. */
import { CONTENT_STATUS, KbContent, NO_FAILURES } from '../../models/kb-content.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { requeueUpdate } from './indexing/attempts.ts';

const DAY_MS = 86_400_000;

/** The number of days between two refreshes, by refresh rate. */
const DAYS: [rate: string, days: number][] = [
  ['daily', 1],
  ['weekly', 7],
  ['monthly', 30],
];

const FINISHED_STATUSES: number[] = [CONTENT_STATUS.indexed, CONTENT_STATUS.failed];

/**
 * Queues the contents whose last attempt, successful or not, is older than their refresh rate allows. Searches
 * find the old chunks of a content until the new ones are ready. Returns the number of queued contents.
 */
export const queueDueRefreshes = async (now = currentTimeMs()): Promise<number> => {
  let queued = 0;
  for (const [refresh_rate, days] of DAYS) {
    const due = {
      refresh_rate,
      last_refresh: { $lte: new Date(now - days * DAY_MS) },
      status: { $in: FINISHED_STATUSES },
    };
    const update = requeueUpdate(NO_FAILURES, { waiting: 1 });
    const { modifiedCount } = await KbContent.updateMany(due, update, { timestamps: false }).setOptions({
      anyProject: true,
    });
    queued += modifiedCount;
  }
  return queued;
};
