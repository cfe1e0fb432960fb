/** A bounded cache whose entries expire. */
import { LRUCache } from 'lru-cache';

/** Caches values by key for `ttlMs`; if there are more than `max`, the least recently used entry is removed. */
export class TtlCache<V extends object | string | number | boolean> {
  /** Created for the first entry, because an `LRUCache` allocates memory for `max` entries when it is created. */
  #entries: LRUCache<string, V> | undefined;
  readonly #ttlMs: number;
  readonly #max: number;

  constructor({ ttlMs, max }: { ttlMs: number; max: number }) {
    this.#ttlMs = ttlMs;
    this.#max = max;
  }

  get(key: string): V | undefined {
    return this.#entries?.get(key);
  }

  /** Stores a value for the cache's `ttlMs`, or for the given time if that is shorter. */
  set(key: string, value: V, ttlMs = this.#ttlMs): void {
    // With a resolution above 0, lru-cache would set a timer for nearly every call.
    this.#entries ??= new LRUCache({ max: this.#max, ttl: this.#ttlMs, ttlResolution: 0 });
    // lru-cache never expires an entry whose ttl is 0.
    this.#entries.set(key, value, { ttl: Math.max(1, Math.ceil(Math.min(ttlMs, this.#ttlMs))) });
  }

  delete(key: string): void {
    this.#entries?.delete(key);
  }
}
