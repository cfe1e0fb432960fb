/** Caches records that other records refer to. A list reads each record once, and frequent calls share one read. */
import { TtlCache } from './ttl-cache.ts';

const CACHE_OPTIONS = { ttlMs: 30_000, max: 10_000 };

/** Maximum age of a cached record, in milliseconds, for replies that must show its current state. */
export const MAX_LIVE_AGE_MS = 1000;

/** The cache key of a record of a project. */
export const keyOf = (id_project: string, id: string): string => `${id_project} ${id}`;

/** Splits cache keys into distinct projects and ids. */
export const splitKeys = (keys: string[]): [projects: string[], ids: string[]] => {
  const parts = keys.map((key) => key.split(' ') as [string, string]);
  return [[...new Set(parts.map(([project]) => project))], [...new Set(parts.map(([, id]) => id))]];
};

/** Reads records by key; missing records are left out. */
type RecordReader<V> = (keys: string[]) => Promise<(readonly [key: string, value: V])[]>;

/** Caches records by key for 30 seconds. */
export class RecordCache<V> {
  readonly #entries = new TtlCache<{ value: V; readAt: number }>(CACHE_OPTIONS);

  /** Stores a record that was just read. */
  set(key: string, value: V): void {
    this.#entries.set(key, { value, readAt: performance.now() });
  }

  /** Returns the cached records that are at most `maxAgeMs` old. */
  peek(keys: string[], maxAgeMs = CACHE_OPTIONS.ttlMs): Map<string, V> {
    const since = performance.now() - maxAgeMs;
    return new Map(
      keys.flatMap((key) => {
        const entry = this.#entries.get(key);
        return entry && entry.readAt >= since ? [[key, entry.value] as const] : [];
      }),
    );
  }

  /** Returns cached records that are at most `maxAgeMs` old, and reads all others with one call to `read`. */
  async load(keys: string[], read: RecordReader<V>, maxAgeMs?: number): Promise<Map<string, V>> {
    const found = this.peek(keys, maxAgeMs);
    const missing = [...new Set(keys.filter((key) => !found.has(key)))];
    if (!missing.length) return found;
    for (const [key, value] of await read(missing)) {
      this.set(key, value);
      found.set(key, value);
    }
    return found;
  }
}
