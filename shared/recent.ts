/** What was true a moment ago: a bounded map whose entries end by themselves. */
export class Recent<V> {
  readonly #entries = new Map<string, { value: V; until: number }>();
  readonly #ttlMs: number;
  readonly #max: number;

  constructor({ ttlMs, max }: { ttlMs: number; max: number }) {
    this.#ttlMs = ttlMs;
    this.#max = max;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keep a value for the usual time, or `ttlMs` if that is shorter; the oldest entry makes room. */
  set(key: string, value: V, ttlMs = this.#ttlMs): void {
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, until: Date.now() + Math.min(ttlMs, this.#ttlMs) });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
