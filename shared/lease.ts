/** A lease in MongoDB: one process at a time, taken over when its holder dies. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { logger } from './logger.ts';
import { Migration } from './models/migration.ts';

const DUPLICATE = 11_000;
const POLL_MS = 50;

const holder = `${hostname()}:${process.pid}`;

const take = async (_id: string, ms: number): Promise<boolean> => {
  const until = new Date(Date.now() + ms);
  const free = { _id, $or: [{ until: null }, { until: { $lt: new Date() } }, { holder }] };
  const taken = await Migration.updateOne(free, { $set: { holder, until } });
  if (taken.matchedCount) return true;
  try {
    await Migration.create([{ _id, holder, until }]);
    return true;
  } catch (error) {
    if ((error as { code?: number }).code !== DUPLICATE) throw error;
    return false;
  }
};

const keep = (_id: string, ms: number) =>
  setInterval(() => {
    Migration.updateOne({ _id, holder }, { $set: { until: new Date(Date.now() + ms) } }).catch((error: Error) =>
      logger.warn({ lease: _id, err: error.message }, 'not renewed'),
    );
  }, ms / 3);

/** Do `work` while holding the lease; waits for whoever has it. A dead holder's lease ends after `ms`. */
export const holding = async <T>(_id: string, ms: number, work: () => Promise<T>): Promise<T> => {
  while (!(await take(_id, ms))) await sleep(POLL_MS);
  const renewal = keep(_id, ms);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await Migration.updateOne({ _id, holder }, { $set: { until: null } });
  }
};
