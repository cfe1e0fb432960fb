import { setImmediate as tick } from 'node:timers/promises';

interface Call<T> {
  items: T[];
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** The longest run of calls, at least one, with at most `most` items together. */
function takeUpTo<T>(calls: Call<T>[], most: number): Call<T>[] {
  let items = 0;
  const end = calls.findIndex((call, index) => (items += call.items.length) > most && index > 0);
  return calls.splice(0, end < 0 ? calls.length : end);
}

/**
 * Joins what callers hand in for one path within a tick, or while an earlier commit to it runs, into one commit:
 * a commit costs about as much for one row as for a thousand. A failed commit fails each of its callers.
 */
export function coalesce<K extends { path: string }, T>(most: number, commit: (to: K, items: T[]) => Promise<void>) {
  const waiting = new Map<string, Call<T>[]>();

  const commitOnce = async (to: K, calls: Call<T>[]) => {
    try {
      await commit(
        to,
        calls.flatMap((call) => call.items),
      );
      for (const call of calls) call.resolve();
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  };

  const drain = async (to: K, calls: Call<T>[]) => {
    await tick();
    while (calls.length > 0) await commitOnce(to, takeUpTo(calls, most));
    waiting.delete(to.path);
  };

  return (to: K, items: T[]): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const calls = waiting.get(to.path) ?? [];
    calls.push({ items, resolve, reject });
    if (!waiting.has(to.path)) {
      waiting.set(to.path, calls);
      void drain(to, calls);
    }
    return promise;
  };
}
