/** Remembers which records exist, so that a process looks up each of them only once in ten minutes. */
import { TtlCache } from './ttl-cache.ts';

const TTL_MS = 600_000;
const MAX_KEYS = 20_000;

/** Keys of records that existed within the last ten minutes. A remembered record may have been deleted since. */
export class KnownKeys {
  readonly #keys = new TtlCache<true>({ ttlMs: TTL_MS, max: MAX_KEYS });

  /** Remembers that the record with this key exists. */
  add(key: string): void {
    this.#keys.set(key, true);
  }

  /** Returns whether a record exists. `find` looks for a record that is not remembered. */
  async has(key: string, find: () => Promise<unknown>): Promise<boolean> {
    if (this.#keys.get(key)) return true;
    const isFound = Boolean(await find());
    if (isFound) this.add(key);
    return isFound;
  }
}
