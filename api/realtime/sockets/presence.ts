/**
 * Records that the people who have open sockets in this process are online. The process holds a lease; if it expires,
 * those of them without a socket in another process go offline.
 */
import { randomUUID } from 'node:crypto';
import { runExclusive } from '#shared/concurrency/keyed-mutex.ts';
import { closePresence, extendPresenceLease, openPresence } from '#shared/domain/team/presence.ts';
import { logger } from '#shared/logger.ts';
import { type Actor, actorKey } from '../../http/auth/authenticate.ts';

const LEASE_INTERVAL_MS = 10_000;
/** If the lease has not been extended for this long, it may have expired: people are recorded as online again. */
const LEASE_OVERDUE_MS = 25_000;

const processId = randomUUID();
const openSockets = new Map<string, { actor: Actor; count: number }>();
/** People whose records do not match their sockets, because the database was unavailable. */
const unrecorded = new Map<string, Actor>();
let leaseTimer: NodeJS.Timeout | undefined;
let leaseExtendedAt = Number.NEGATIVE_INFINITY;

const record = (actor: Actor): Promise<void> => {
  const key = actorKey(actor);
  return runExclusive(`presence ${key}`, async () => {
    unrecorded.set(key, actor);
    if (openSockets.has(key)) await openPresence(processId, actor);
    else await closePresence(processId, actor);
    unrecorded.delete(key);
  }).catch((error: Error) => logger.warn({ err: error.message }, 'recording presence failed; will be retried'));
};

/** Extends the lease; records people as online again if the lease may have expired during an outage. */
const extendLease = async (): Promise<void> => {
  try {
    await extendPresenceLease(processId);
    if (performance.now() - leaseExtendedAt > LEASE_OVERDUE_MS)
      for (const [key, { actor }] of openSockets) unrecorded.set(key, actor);
    leaseExtendedAt = performance.now();
    for (const actor of [...unrecorded.values()]) await record(actor);
  } catch (error) {
    logger.warn({ err: (error as Error).message }, 'extending the presence lease failed; will be retried');
  }
};

/** Acquires the lease for the first socket of the process, and keeps extending it. */
const ensureLease = async (): Promise<void> => {
  if (leaseTimer) return;
  leaseTimer = setInterval(() => void extendLease(), LEASE_INTERVAL_MS).unref();
  await extendLease();
};

const changeCount = (actor: Actor, change: 1 | -1): number => {
  const key = actorKey(actor);
  const count = (openSockets.get(key)?.count ?? 0) + change;
  if (count > 0) openSockets.set(key, { actor, count });
  else openSockets.delete(key);
  return count;
};

const isPerson = ({ kind }: Actor): boolean => kind !== 'bot' && kind !== 'subscription';

/** Counts an open socket. A person's first socket marks the person as online. */
export const countOpened = async (actor: Actor): Promise<void> => {
  if (!isPerson(actor) || changeCount(actor, 1) > 1) return;
  await ensureLease();
  await record(actor);
};

/** Counts a closed socket. A person without open sockets goes offline after a grace period. */
export const countClosed = async (actor: Actor): Promise<void> => {
  if (isPerson(actor) && changeCount(actor, -1) === 0) await record(actor);
};
