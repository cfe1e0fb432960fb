/** Leases of running attempts. If a worker disappears, its leases expire, and the contents return to the queue. */
import { config } from '../../../config.ts';
import { CONTENT_STATUS, KbContent } from '../../../models/kb-content.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import { attemptsWithLost } from './attempt-timeline.ts';

const LEASE_MS = config.LEASE_SECONDS * 1000;

/** The filter for contents with a running attempt. */
export const RUNNING_STATUSES = { $in: [CONTENT_STATUS.fetching, CONTENT_STATUS.indexing] as number[] };

const activeAttempts = new Map<string, { id_project: string }>();

/** Returns the end of a lease that starts now. */
export const leaseEnd = () => new Date(currentTimeMs() + LEASE_MS);

/** Starts renewing the lease of an attempt. */
export const trackAttempt = (id: string, id_project: string): void => {
  activeAttempts.set(id, { id_project });
};

/** Stops renewing the lease of an attempt. */
export const untrackAttempt = ({ id }: { id: string }): void => {
  activeAttempts.delete(id);
};

/** Renews the leases of all attempts of this process. Must be called well before the leases expire. */
export const renewLeases = async (): Promise<void> => {
  const projects = [...new Set([...activeAttempts.values()].map(({ id_project }) => id_project))];
  if (!projects.length) return;
  const held = {
    id_project: { $in: projects },
    attemptId: { $in: [...activeAttempts.keys()] },
    status: RUNNING_STATUSES,
  };
  await KbContent.updateMany(held, { $set: { leaseUntil: leaseEnd() } });
};

/** Requeues the contents with a running attempt whose lease has expired, and returns their number. */
export const reclaimExpired = async (): Promise<number> => {
  const expiredFilter = { status: RUNNING_STATUSES, leaseUntil: { $lt: currentTime() } };
  const requeued = { status: CONTENT_STATUS.queued, nextAttemptAt: '$$NOW', hasStaleChunks: true };
  const stages = [{ $set: { ...requeued, attempts: attemptsWithLost } }, { $unset: ['attemptId', 'leaseUntil'] }];
  const options = { anyProject: true, updatePipeline: true };
  return (await KbContent.updateMany(expiredFilter, stages, options)).modifiedCount;
};
