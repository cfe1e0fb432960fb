import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    _id: { type: String, required: true },
    /** Raised whenever somebody takes over: whoever writes with an older one is no longer the relay. */
    epoch: { type: Number, default: 0 },
    holder: String,
    until: { type: Date, default: () => new Date(0) },
    /** Where the change stream goes on; before the first relay, the time of the database's clock at which everything begins. */
    token: Schema.Types.Mixed,
    beginning: Schema.Types.Mixed,
    /** Up to this moment the changes log is complete. */
    complete: Date,
    /** Milliseconds from commit to log of the latest events: `{ events, p50, p99, most }`. */
    lag: Schema.Types.Mixed,
  },
  kept,
);

/** One record: who relays, under which epoch, and how far the changes log has come (design 3). */
export const Relay = collection('relays', schema, 'instance');
