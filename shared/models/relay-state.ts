import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    _id: { type: String, required: true },
    /** Incremented when a process acquires the lease. A write with an older epoch is rejected. */
    epoch: { type: Number, default: 0 },
    holder: String,
    leaseUntil: { type: Date, default: () => new Date(0) },
    /** When another process last waited for the lease. While one waits, the holder renews the lease before it ends. */
    waitedAt: Date,
    /** The change stream's resume token or, before the first batch, its start time. Restoring a backup removes both. */
    token: Schema.Types.Mixed,
    startTime: Schema.Types.Mixed,
    /** The changes log is complete up to this time. */
    relayedUntil: Date,
    /** `events`: relayed events; `p50`, `p99`, `max`: the lag of the latest 1000, in ms (see relay-lease.ts). */
    lag: Schema.Types.Mixed,
  },
  schemaOptions,
);

/** One record: the relay's lease, epoch and progress. */
export const RelayState = collection('relays', schema, 'instance');
