/**
 * The relay's lease and progress, in one MongoDB record, so that the relay does not depend on Redis. A process that
 * waits for the lease marks the record. If there is no recent mark, no process is waiting, so the holder may renew the
 * lease rarely and let it expire between two renewals. A process that starts after such an expiry takes the lease
 * immediately; the former holder then waits for the lease, and marks the record.
 */
import mongoose from 'mongoose';
import { RelayState } from '../../models/relay-state.ts';
import { currentTimeMs } from '../../time/clock.ts';

const _id = 'relay';
/** A killed relay is replaced after this time plus one polling interval of the waiting processes. */
const LEASE_MS = 1700;
/** The interval at which waiting processes mark the record. */
const MARK_INTERVAL_MS = 4000;
/** A lease whose latest mark is older than this is uncontested: no other process waits for it. */
const CONTESTED_MS = 10_000;

/** For writes whose loss is harmless: events that are relayed again are recognized by their ids and dropped. */
const WEAK_WRITE = { updatePipeline: true, writeConcern: { w: 1, j: false } } as const;
const LEASE_END = { $add: ['$$NOW', LEASE_MS] };
const LEASE_EXPIRED = new Date(0);

/** Returns the current operation time of the database. */
const clusterTime = async (): Promise<unknown> => (await mongoose.connection.db?.command({ ping: 1 }))?.operationTime;

/** Stores the position where the first relay starts. Must be called before the first event is emitted. */
export const initRelay = async (): Promise<void> => {
  await RelayState.updateOne(
    { _id },
    { $setOnInsert: { epoch: 0, leaseUntil: LEASE_EXPIRED, startTime: await clusterTime() } },
    { upsert: true },
  );
};

/**
 * The lease of the relay. `epoch` increases each time that the lease is acquired; only the holder of the latest epoch
 * is the relay. A process that has lost its lease may finish its last batch, because the new relay recognizes existing
 * entries by their ids and skips them.
 */
export interface RelayLease {
  epoch: number;
  token?: unknown;
  startTime?: unknown;
  relayedUntil?: Date | null;
}

/**
 * Acquires the lease. While another process holds it, marks the record and returns null. All times are taken from the
 * database's clock.
 */
export const acquireLease = async (holder: string): Promise<RelayLease | null> => {
  const isFree = { $or: [{ $lt: ['$leaseUntil', '$$NOW'] }, { $eq: ['$holder', holder] }] };
  const isMarkDue = { $lt: ['$waitedAt', { $subtract: ['$$NOW', MARK_INTERVAL_MS] }] };
  const acquired = { holder: { $literal: holder }, leaseUntil: LEASE_END, epoch: { $add: ['$epoch', 1] } };
  const found = await RelayState.findOneAndUpdate(
    { _id, $expr: { $or: [isFree, isMarkDue] } },
    [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: [isFree, acquired, { waitedAt: '$$NOW' }] }] } }],
    { ...WEAK_WRITE, returnDocument: 'after' },
  ).lean<(RelayLease & { holder: string }) | null>();
  return found?.holder === holder ? found : null;
};

/**
 * How far the relay has read: the resume token, the time up to which the log is complete, and statistics of the lag
 * (the time from the commit of an event until it is in the log) in milliseconds.
 */
export interface RelayProgress {
  token?: unknown;
  relayedUntil?: Date;
  lag?: { events: number; p50: number; p99: number; max: number };
}

/**
 * Renews the lease and stores the progress. Returns whether another process waits for the lease; null if another
 * process has taken over.
 */
export const renewLease = async (
  { epoch }: RelayLease,
  progress: RelayProgress,
): Promise<{ isContested: boolean } | null> => {
  const given = Object.entries(progress).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(given.map(([key, value]) => [key, { $literal: value }]));
  const renewed = await RelayState.findOneAndUpdate({ _id, epoch }, [{ $set: { ...changes, leaseUntil: LEASE_END } }], {
    ...WEAK_WRITE,
    projection: { waitedAt: 1 },
  }).lean<{ waitedAt?: Date } | null>();
  if (!renewed) return null;
  return { isContested: (renewed.waitedAt?.getTime() ?? 0) > currentTimeMs() - CONTESTED_MS };
};

/** Releases the lease, so that another process can acquire it immediately. */
export const releaseLease = async ({ epoch }: RelayLease): Promise<void> => {
  await RelayState.updateOne({ _id, epoch }, { $set: { leaseUntil: LEASE_EXPIRED } });
};

/** Reads the state of the relay, for metrics; null before the first start. */
export const relayState = () =>
  RelayState.findOne({ _id }, { epoch: 1, relayedUntil: 1, lag: 1, leaseUntil: 1 }).lean();
