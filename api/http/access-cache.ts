/**
 * A cache of access records in this process, so that a request need not read them. The process polls the changes of
 * access and drops the entries that they name. An entry is served only when every change up to 750 ms before the request
 * has been read: when the poll is late, one read of the changes serves all requests that wait.
 */
import { changesSince, here } from '#shared/domain/access/access.ts';
import { logger } from '#shared/logger.ts';

const POLL_MS = 250;
const MAX_AGE_MS = 750;
const TIMEOUT_MS = 2000;
/** The life of an entry whose records were changed without an access change. */
const TTL_MS = 600_000;

/** What was read, how long it holds, and the names of the changes that end it. */
export interface Fresh<V> {
  value: V;
  /** In milliseconds. */
  until?: number;
  names: string[];
}

let place = { ...here(), readTo: 0 };
/** Raised with each change, so that nothing is kept that was read before it. */
let version = 0;
let running: Promise<boolean> | undefined;
const caches: AccessCache<unknown>[] = [];

const readChanges = async (): Promise<boolean> => {
  try {
    const changed = new Set(await changesSince(place, TIMEOUT_MS));
    if (changed.size) version += 1;
    for (const cache of changed.size ? caches : []) cache.drop(changed);
    return true;
  } catch (error) {
    logger.debug({ err: error }, 'the changes of access could not be read');
    return false;
  }
};

/** Read the changes of access, or wait for the read that runs; false when it failed. */
const refresh = (): Promise<boolean> => {
  running ??= readChanges().finally(() => (running = undefined));
  return running;
};

/** True once all changes up to 750 ms before this call have been read; false when they cannot be read. */
const isCurrent = async (): Promise<boolean> => {
  const least = Date.now() - MAX_AGE_MS;
  while (place.readTo < least) if (!(await refresh())) return false;
  return true;
};

/** Holds at most `max` entries; the oldest makes room. */
export class AccessCache<V> {
  readonly #entries = new Map<string, { value: V; until: number; names: string[] }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
    caches.push(this);
  }

  async get(key: string): Promise<V | undefined> {
    if (!this.#entries.has(key) || !(await isCurrent())) return undefined;
    const entry = this.#entries.get(key); // a change may have dropped it meanwhile
    if (entry && entry.until > Date.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Read a value and keep it, unless access changed meanwhile; null is not kept. */
  async load(key: string, read: () => Promise<Fresh<V> | null>): Promise<V | null> {
    const before = version;
    const fresh = await read();
    if (fresh && before === version) this.#keep(key, fresh);
    return fresh && fresh.value;
  }

  #keep(key: string, { value, until = Number.POSITIVE_INFINITY, names }: Fresh<V>): void {
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, until: Math.min(until, Date.now() + TTL_MS), names });
  }

  /** Remove the entries that these changes are about. */
  drop(changed: Set<string>): void {
    for (const [key, { names }] of this.#entries)
      if (names.some((name) => changed.has(name))) this.#entries.delete(key);
  }
}

/** Follow the changes of access until the function that is answered is called. */
export const followAccess = async (): Promise<() => void> => {
  place = here();
  const timer = setInterval(refresh, POLL_MS);
  await refresh();
  return () => clearInterval(timer);
};
