/**
 * The relay: one process at a time follows MongoDB's change stream and appends the emitted events to the changes log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import {
  acquireLease,
  type RelayLease,
  type RelayProgress,
  releaseLease,
  renewLease,
} from '#shared/domain/events/relay-lease.ts';
import { logger } from '#shared/logger.ts';
import { currentTime } from '#shared/time/clock.ts';
import { openStream, type StartPoint, type WriteBatch } from './change-stream.ts';
import { createLagStats } from './lag-stats.ts';
import { warnIfBehindOplog } from './oplog-window.ts';
import { relayBatch } from './relay-batch.ts';
import { createRenewalSchedule, LEASE_RENEW_MS } from './renewal-schedule.ts';
import { isResumeTokenLost, recoverFromGap } from './resync.ts';
import { closeWakeUps } from './wake-ups.ts';

const LEASE_POLL_MS = 300;
/** Time for which writes are gathered: a few large batches cost the database far less than many small ones. */
const GATHER_MS = 20;

const startPointOf = ({ token, startTime }: RelayLease): StartPoint =>
  token ? { startAfter: token } : { startAtOperationTime: startTime };

/**
 * Renews the lease and stores the progress periodically, less often while the relay is quiet. Aborts `lost` when
 * another process has acquired the lease. `markBusy` must be called for each batch with writes.
 */
const keepLease = (lease: RelayLease, progress: () => RelayProgress) => {
  const lostController = new AbortController();
  const schedule = createRenewalSchedule();
  const renewOnce = async (): Promise<void> => {
    try {
      const renewed = await renewLease(lease, progress());
      if (!renewed) lostController.abort();
      else schedule.markRenewed(renewed);
    } catch (error) {
      logger.warn({ err: (error as Error).message }, 'relay lease not renewed');
    }
  };
  const timer = setInterval(() => schedule.isDue() && void renewOnce(), LEASE_RENEW_MS);
  const end = (): void => clearInterval(timer);
  return { lost: lostController.signal, markBusy: schedule.markBusy, storeProgress: renewOnce, end };
};

const recover = async (lease: RelayLease) => {
  const stream = await openStream({});
  await recoverFromGap(lease, stream.token._data);
  return stream;
};

const openOrRecover = async (lease: RelayLease) => {
  if (!lease.token && !lease.startTime) return recover(lease); // the database was restored from a backup
  await warnIfBehindOplog(lease.relayedUntil);
  try {
    return await openStream(startPointOf(lease));
  } catch (error) {
    if (!isResumeTokenLost(error)) throw error;
    return recover(lease);
  }
};

type Stream = Awaited<ReturnType<typeof openStream>>;

/**
 * Starts reading the next batch after `pauseMs`. An error is thrown when the caller awaits the batch. The empty handler
 * prevents an unhandled rejection if the error occurs earlier.
 */
const nextBatch = (stream: Stream, pauseMs = 0): Promise<WriteBatch> => {
  const batch = sleep(pauseMs).then(() => stream.next());
  batch.catch(() => undefined);
  return batch;
};

/**
 * Relays batches until stopped. Reads the next batch while the previous one is being relayed. When stopped, closes the
 * stream, which ends a read that waits for writes.
 */
const relayAll = async (
  stream: Stream,
  stopSignal: AbortSignal,
  onRelayed: (batch: WriteBatch, lags: number[]) => void,
) => {
  const close = (): void => void stream.close();
  stopSignal.addEventListener('abort', close);
  let next = nextBatch(stream);
  try {
    while (!stopSignal.aborted) {
      const batch = await next;
      next = nextBatch(stream, batch.writes.length ? GATHER_MS : 0);
      onRelayed(batch, await relayBatch(batch.writes));
    }
  } catch (error) {
    if (!stopSignal.aborted) throw error;
  } finally {
    stopSignal.removeEventListener('abort', close);
    await stream.close();
    await Promise.allSettled([next]); // the read fails, because the stream is closed
  }
};

const relayWhileLeased = async (lease: RelayLease, stopSignal: AbortSignal): Promise<void> => {
  let progress: RelayProgress = { token: lease.token };
  const lags = createLagStats();
  const { lost, markBusy, storeProgress, end } = keepLease(lease, () => ({ ...progress, lag: lags.summary() }));
  try {
    await relayAll(await openOrRecover(lease), AbortSignal.any([lost, stopSignal]), ({ writes, token }, newLags) => {
      if (writes.length) markBusy();
      progress = { token, relayedUntil: writes.at(-1)?.committedAt ?? currentTime() };
      lags.add(newLags);
      if (writes.length) void warnIfBehindOplog(progress.relayedUntil);
    });
  } finally {
    end();
    await storeProgress();
    await releaseLease(lease);
  }
};

const runRelayLoop = async (holder: string, stopSignal: AbortSignal): Promise<void> => {
  while (!stopSignal.aborted) {
    try {
      const lease = await acquireLease(holder);
      if (lease) await relayWhileLeased(lease, stopSignal);
    } catch (error) {
      if (stopSignal.aborted) return;
      logger.warn({ err: error }, 'relay failed; restarting');
    }
    await sleep(LEASE_POLL_MS, undefined, { signal: stopSignal }).catch(() => undefined); // aborted: the loop ends
  }
};

/**
 * Starts a loop that relays whenever this process holds the lease. A caller that restarts the relay may pass a fixed
 * `holder` id to acquire its former lease immediately.
 */
export const startRelay = (holder = ulid()) => {
  const stopController = new AbortController();
  const loop = runRelayLoop(holder, stopController.signal);
  return {
    stop: async (): Promise<void> => {
      stopController.abort();
      await loop;
      closeWakeUps();
    },
  };
};
