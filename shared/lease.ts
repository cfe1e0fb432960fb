/** A lease in MongoDB: one process at a time, taken over when its holder dies. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import { logger } from './logger.ts';
import { Migration } from './models/migration.ts';
import { makeOnce } from './mongo.ts';

const POLL_MS = 50;

interface Lease {
  _id: string;
  /** Who has it; never the same twice. */
  holder: string;
  ms: number;
}

const take = async ({ _id, holder, ms }: Lease): Promise<boolean> => {
  const until = new Date(Date.now() + ms);
  const free = { _id, $or: [{ until: null }, { until: { $lt: new Date() } }] };
  const taken = await Migration.updateOne(free, { $set: { holder, until } });
  if (taken.matchedCount) return true;
  return makeOnce(() => Migration.create([{ _id, holder, until }]));
};

const keep = ({ _id, holder, ms }: Lease) =>
  setInterval(() => {
    Migration.updateOne({ _id, holder }, { $set: { until: new Date(Date.now() + ms) } }).catch((error: Error) =>
      logger.warn({ lease: _id, err: error.message }, 'not renewed'),
    );
  }, ms / 3);

/** Do `work` while holding the lease; waits for whoever has it. A dead holder's lease ends after `ms`. */
export const holding = async <T>(_id: string, ms: number, work: () => Promise<T>): Promise<T> => {
  const lease = { _id, holder: ulid(), ms };
  while (!(await take(lease))) await sleep(POLL_MS);
  const renewal = keep(lease);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await Migration.updateOne({ _id, holder: lease.holder }, { $set: { until: null } });
  }
};
