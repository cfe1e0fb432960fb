/** Records that were read a moment ago, so that a list reads each of them once, and a busy conversation not every time. */
import { Recent } from '../../recent.ts';

const KEPT = { ttlMs: 30_000, max: 10_000 };

/** How old a record may be that is shown as it is now. */
export const LIVE_MS = 1000;

/** Reads the records of keys; a record that is not there is left out. */
type Read<V> = (keys: string[]) => Promise<(readonly [key: string, value: V])[]>;

/** Records by key, each for half a minute. */
export class Remembered<V> {
  readonly #known = new Recent<{ value: V; at: number }>(KEPT);

  /** Keep a record that was just read. */
  set(key: string, value: V): void {
    this.#known.set(key, { value, at: Date.now() });
  }

  /** The records of these keys that are here, at most so old. */
  here(keys: string[], mostMs = KEPT.ttlMs): Map<string, V> {
    const since = Date.now() - mostMs;
    return new Map(
      keys.flatMap((key) => {
        const known = this.#known.get(key);
        return known && known.at >= since ? [[key, known.value] as const] : [];
      }),
    );
  }

  /** The records of these keys, at most so old; those that are not here are read together. */
  async recall(keys: string[], read: Read<V>, mostMs?: number): Promise<Map<string, V>> {
    const found = this.here(keys, mostMs);
    const unknown = [...new Set(keys.filter((key) => !found.has(key)))];
    if (!unknown.length) return found;
    for (const [key, value] of await read(unknown)) {
      this.set(key, value);
      found.set(key, value);
    }
    return found;
  }
}
