import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';
import { currentTime } from '../time/clock.ts';

const HOUR_SECONDS = 3600;

const schema = Schema.create(
  {
    /** The key of the cache entries to drop, as returned by `accessKey`. */
    subject: { type: String, required: true },
    createdAt: { type: Date, required: true, default: currentTime },
  },
  { versionKey: false, strict: 'throw', id: false },
);
// Changes are kept longer than any cache entry, so that no process misses a change that concerns one of its entries.
schema.index({ createdAt: 1 }, { expireAfterSeconds: 2 * HOUR_SECONDS });

/**
 * Changes to access rights, and to other data that processes cache. Every process that caches such data reads the
 * changes and drops the affected cache entries (`domain/access/access-changes.ts`).
 */
export const AccessChange = collection('access_changes', schema, 'instance');
