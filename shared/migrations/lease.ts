/**
 * Leases in MongoDB. A lease has one holder. If the holder dies, or stalls and renews the lease too late, another
 * process takes over when the lease expires. A former holder that is still running cannot renew the lease or change the
 * record of the lease, but nothing interrupts its work: it must call `renewLease` before each step that only the holder
 * may start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpdateQuery } from 'mongoose';
import { ulid } from 'ulid';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';
import { Migration } from '../models/migration.ts';
import { insertIfAbsent } from '../database/unique-keys.ts';
import { currentTime, currentTimeMs } from '../time/clock.ts';

const POLL_MS = 50;

/** A lease that this process has acquired. Another process may have taken it over since. */
export interface Lease {
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

/** Renews a lease, and changes its record with the same write. Throws a 409 if another process has taken over. */
export const renewLease = async ({ _id, holder, durationMs }: Lease, changes: UpdateQuery<unknown> = {}) => {
  const leaseUntil = new Date(currentTimeMs() + durationMs);
  const update = { ...changes, $set: { ...changes.$set, leaseUntil } };
  if ((await Migration.updateOne({ _id, holder }, update)).matchedCount) return;
  const text = `Another process has taken over the lease ${_id}, which expired. Start this process again`;
  throw new AppError(409, 'LEASE_LOST', text);
};

const logFailure = ({ message: err }: Error) => logger.warn({ err }, 'lease renewal failed');

/**
 * Waits for the lease, runs `work` as its holder, and releases it. A lease that is not renewed expires after
 * `durationMs`.
 */
export const withLease = async <T>(_id: string, durationMs: number, work: (lease: Lease) => Promise<T>): Promise<T> => {
  const lease = { _id, holder: ulid(), durationMs };
  while (!(await acquire(lease))) await sleep(POLL_MS);
  const renewal = setInterval(() => void renewLease(lease).catch(logFailure), durationMs / 3);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewal);
    await Migration.updateOne({ _id, holder: lease.holder }, { $set: { leaseUntil: null } });
  }
};
