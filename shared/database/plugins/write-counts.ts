/** Counts the writes of this process to a collection, so that caches of its records drop outdated entries. */
import type { Schema } from 'mongoose';

const counts = new Map<string, number>();

/** Returns how often this process has written to a collection with the plugin `writeCounts`. */
export const writesTo = (collection: string): number => counts.get(collection) ?? 0;

/** Plugin: counts the writes to a collection in this process. */
export const writeCounts = (schema: Schema, { collection }: { collection: string }) => {
  const count = (): void => void counts.set(collection, writesTo(collection) + 1);
  schema.post('save', count);
  schema.post('insertMany', count);
  schema.post('bulkWrite', count);
  schema.post(/^(update|replace|delete|findOneAnd)/, count);
};
