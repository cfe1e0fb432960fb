/**
 * Leases in MongoDB. At most one process holds a lease. If the holder dies, another process takes over when the lease
 * expires.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import { logger } from '../logger.ts';
import { Migration } from '../models/migration.ts';
import { insertIfAbsent } from '../database/unique-keys.ts';
import { currentTime, currentTimeMs } from '../time/clock.ts';

const POLL_MS = 50;

interface Lease {
  _id: string;
  /** Unique id of the holder. */
  holder: string;
  durationMs: number;
}

const acquire = async ({ _id, holder, durationMs }: Lease): Promise<boolean> => {
  const leaseUntil = new Date(currentTimeMs() + durationMs);
  const freeLease = { _id, $or: [{ leaseUntil: null }, { leaseUntil: { $lt: currentTime() } }] };
  const result = await Migration.updateOne(freeLease, { $set: { holder, leaseUntil } });
  if (result.matchedCount) return true;
  return insertIfAbsent(() => Migration.create([{ _id, holder, leaseUntil }]));
};

const startRenewal = ({ _id, holder, durationMs }: Lease) =>
  setInterval(() => {
    Migration.updateOne({ _id, holder }, { $set: { leaseUntil: new Date(currentTimeMs() + durationMs) } }).catch(
      (error: Error) => logger.warn({ lease: _id, err: error.message }, 'lease renewal failed'),
    );
  }, durationMs / 3);

/**
 * Waits for the lease, runs `work` while holding it, and releases it. The lease of a dead holder expires after
 * `durationMs`.
 */
export const withLease = async <T>(_id: string, durationMs: number, work: () => Promise<T>): Promise<T> => {
  const lease = { _id, holder: ulid(), durationMs };
  while (!(await acquire(lease))) await sleep(POLL_MS);
  const renewal = startRenewal(lease);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await Migration.updateOne({ _id, holder: lease.holder }, { $set: { leaseUntil: null } });
  }
};
