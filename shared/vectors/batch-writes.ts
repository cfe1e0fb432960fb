/** Batches the writes to the table at a path into fewer commits. */
import { setImmediate as tick } from 'node:timers/promises';

interface PendingWrite<T> {
  items: T[];
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Takes the first calls with at most `maxItems` items in total, but at least one call. */
function takeBatch<T>(calls: PendingWrite<T>[], maxItems: number): PendingWrite<T>[] {
  let itemCount = 0;
  const end = calls.findIndex((call, index) => (itemCount += call.items.length) > maxItems && index > 0);
  return calls.splice(0, end < 0 ? calls.length : end);
}

/**
 * Returns a write function that batches the calls for each path. Calls made in the same tick share a commit; calls made
 * while a commit to the path is running share the next one. A commit costs about as much for one row as for a thousand.
 * A failed commit rejects all of its calls.
 */
export function batchWrites<K extends { path: string }, T>(
  maxItems: number,
  commit: (target: K, items: T[]) => Promise<void>,
) {
  const pendingByPath = new Map<string, PendingWrite<T>[]>();

  const commitBatch = async (target: K, calls: PendingWrite<T>[]) => {
    try {
      await commit(
        target,
        calls.flatMap((call) => call.items),
      );
      for (const call of calls) call.resolve();
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  };

  const drain = async (target: K, calls: PendingWrite<T>[]) => {
    await tick();
    while (calls.length > 0) await commitBatch(target, takeBatch(calls, maxItems));
    pendingByPath.delete(target.path);
  };

  return (target: K, items: T[]): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const calls = pendingByPath.get(target.path) ?? [];
    calls.push({ items, resolve, reject });
    if (!pendingByPath.has(target.path)) {
      pendingByPath.set(target.path, calls);
      void drain(target, calls);
    }
    return promise;
  };
}
