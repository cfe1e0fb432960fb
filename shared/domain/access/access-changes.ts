/**
 * The log of access changes, and the cache that follows it. API processes cache the records that authentication reads
 * (accounts, tokens, memberships, access rules). Projects, triggers, and the subscriptions to `operator.select` (which
 * may select who gets a conversation) are cached in the same way, in workers too. API processes poll the log while
 * they use a cache, and drop the affected entries; workers, and API processes that were idle, read the log when they
 * use a cache. The cache returns an entry only if all changes that are older than 750 ms have been read. If polling is
 * delayed, one read serves all waiting lookups. If that read fails, the cache returns nothing.
 */
import type { ClientSession } from 'mongoose';
import { onNewPrimary } from '../../database/new-primary.ts';
import { logger } from '../../logger.ts';
import { AccessChange } from '../../models/access-change.ts';
import { currentTimeMs } from '../../time/clock.ts';

/**
 * The subject of a change: a token, a membership, a whole principal (account, visitor, bot or subscription), a whole
 * project, or the triggers or subscriptions of a project.
 */
export type AccessSubject =
  | { jti: string }
  | { user: string; project: string }
  | { user: string }
  | { project: string }
  | { triggers: string }
  | { subscriptions: string };

/** Returns the key that links a change to the cache entries that it invalidates. */
export const accessKey = (subject: AccessSubject): string => {
  if ('jti' in subject) return `token ${subject.jti}`;
  if ('triggers' in subject) return `triggers ${subject.triggers}`;
  if ('subscriptions' in subject) return `subscriptions ${subject.subscriptions}`;
  if (!('user' in subject)) return `project ${subject.project}`;
  return 'project' in subject ? `member ${subject.project} ${subject.user}` : `user ${subject.user}`;
};

/**
 * Records an access change within the transaction that makes it. This process applies the change when the
 * transaction's session ends; every other process does so within one second of the commit.
 */
export const recordAccessChange = async (subject: AccessSubject, session: ClientSession): Promise<void> => {
  const key = accessKey(subject);
  await AccessChange.create([{ subject: key }], { session });
  session.once('ended', () => dropEntries(new Set([key])));
};

/** Longer than any transaction plus the difference between the clocks of two processes. */
const OVERLAP_MS = 90_000;

/** A position in the log. */
interface AccessCursor {
  /**
   * The start of the last read (initially the creation of the cursor), in epoch milliseconds. Only changes that were
   * committed later may still be unread.
   */
  readAtEpochMs: number;
  /** The start of the last read, in milliseconds of the monotonic clock; negative infinity before the first read. */
  readAtMonotonicMs: number;
  /**
   * Ids of the recently read changes, each with the time of its read. The next read begins `OVERLAP_MS` before
   * `readAtEpochMs`, so it finds these changes again and must skip them.
   */
  seen: Map<string, number>;
}

/** Returns a cursor at the current time. */
const currentCursor = (): AccessCursor => ({
  readAtEpochMs: currentTimeMs(),
  readAtMonotonicMs: Number.NEGATIVE_INFINITY,
  seen: new Map(),
});

/**
 * Returns the keys of the changes after the cursor, and advances the cursor. `maxTimeMS` limits the duration of the
 * query. A change gets its time before its transaction commits, so times are not in commit order. Each call therefore
 * reads the most recent changes again and skips those that the cursor has seen.
 */
const readAccessChanges = async (cursor: AccessCursor, maxTimeMS: number): Promise<string[]> => {
  const [startedAt, readAtMonotonicMs] = [currentTimeMs(), performance.now()];
  const from = new Date(cursor.readAtEpochMs - OVERLAP_MS);
  const read = await AccessChange.find({ createdAt: { $gte: from } }, { subject: 1 }, { maxTimeMS }).lean();
  const unseen = read.filter(({ _id }) => !cursor.seen.has(String(_id)));
  for (const { _id } of unseen) cursor.seen.set(String(_id), startedAt);
  for (const [id, readAt] of cursor.seen) if (readAt < startedAt - 2 * OVERLAP_MS) cursor.seen.delete(id);
  Object.assign(cursor, { readAtEpochMs: startedAt, readAtMonotonicMs });
  return unseen.map(({ subject }) => subject);
};

const POLL_INTERVAL_MS = 250;
/** Polling stops when no cache has been used for this long. */
const IDLE_AFTER_MS = 2000;
const MAX_AGE_MS = 750;
const READ_TIMEOUT_MS = 2000;
/** Maximum lifetime of an entry. It limits the age of values whose records change without an access change. */
const ENTRY_TTL_MS = 600_000;

/** A value with its expiry, and the keys (see `accessKey`) of the access changes that invalidate it. */
export interface CacheEntry<V> {
  value: V;
  /** Time of expiry, in milliseconds since the epoch. */
  expiresAtMs?: number;
  accessKeys: string[];
}

/** Created before any value is cached, so that no later change is missed. */
let cursor: AccessCursor | undefined;
/** Incremented when changes are read. `load` uses it to detect that its value was read before those changes. */
let generation = 0;
let pendingRead: Promise<boolean> | undefined;
/** Whether this process polls while it uses a cache. */
let isPolling = false;
let pollTimer: NodeJS.Timeout | undefined;
let usedAtMs = Number.NEGATIVE_INFINITY;
const caches: AccessCache<unknown>[] = [];

/** Removes from all caches the entries that changes affect. */
const dropEntries = (changed: Set<string>): void => {
  generation += 1;
  for (const cache of caches) cache.drop(changed);
};

const clearCaches = (): void => {
  generation += 1;
  for (const cache of caches) cache.clear();
};

/** Continues at the current time, because all entries have expired after `ENTRY_TTL_MS` without a read. */
const restartCursor = (): void => {
  clearCaches();
  cursor = currentCursor();
};

const readChanges = async (): Promise<boolean> => {
  try {
    if (!cursor || cursor.readAtEpochMs < currentTimeMs() - ENTRY_TTL_MS) restartCursor();
    const changed = new Set(await readAccessChanges(cursor as AccessCursor, READ_TIMEOUT_MS));
    if (changed.size) dropEntries(changed);
    return true;
  } catch (error) {
    logger.debug({ err: error }, 'reading access changes failed; the access cache is bypassed');
    return false;
  }
};

/** Reads the access changes, or joins the running read. Resolves to false if the read fails. */
const refresh = (): Promise<boolean> => {
  pendingRead ??= readChanges().finally(() => (pendingRead = undefined));
  return pendingRead;
};

const stopPolling = (): void => {
  clearInterval(pollTimer);
  pollTimer = undefined;
};

const poll = (): void => {
  if (performance.now() - usedAtMs > IDLE_AFTER_MS) stopPolling();
  else void refresh();
};

/** Records that a cache is used. This keeps the polling running, or restarts it after an idle period. */
const markUsed = (): void => {
  usedAtMs = performance.now();
  if (isPolling) pollTimer ??= setInterval(poll, POLL_INTERVAL_MS);
};

const isReadSince = (ms: number): boolean => cursor !== undefined && cursor.readAtMonotonicMs >= ms;

/** Resolves to true once all changes before a time have been read, or to false if reading fails. */
const readUntil = async (ms: number): Promise<boolean> => {
  while (!isReadSince(ms)) if (!(await refresh())) return false;
  return true;
};

/** Returns true if all changes older than 750 ms have been read; otherwise resolves to whether they could be read. */
const isCurrent = (): true | Promise<boolean> => {
  markUsed();
  const requiredMs = performance.now() - MAX_AGE_MS;
  return isReadSince(requiredMs) || readUntil(requiredMs);
};

/** A cache of at most `max` entries. When it is full, a new entry evicts the oldest one. */
export class AccessCache<V> {
  readonly #entries = new Map<string, { value: V; expiresAtMs: number; accessKeys: string[] }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
    caches.push(this);
  }

  /**
   * Returns the value of a key; undefined if it is absent or expired, or if the access changes cannot be read. The
   * result is a promise only if the changes must be read first.
   */
  get(key: string): V | undefined | Promise<V | undefined> {
    if (!this.#entries.has(key)) return undefined;
    const current = isCurrent();
    return current === true ? this.#valueOf(key) : current.then((isRead) => (isRead ? this.#valueOf(key) : undefined));
  }

  #valueOf(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresAtMs > currentTimeMs()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Reads a value, stores it unless access has changed in the meantime, and returns it. Null is not stored. */
  async load(key: string, read: () => Promise<CacheEntry<V> | null>): Promise<V | null> {
    cursor ??= currentCursor();
    const generationBefore = generation;
    const loaded = await read();
    if (loaded && generationBefore === generation) this.#store(key, loaded);
    return loaded && loaded.value;
  }

  /** Returns the cached value of a key, or reads and stores it as `load` does. */
  async getOrLoad(key: string, read: () => Promise<CacheEntry<V> | null>): Promise<V | null> {
    return (await this.get(key)) ?? (await this.load(key, read));
  }

  #store(key: string, { value, expiresAtMs = Number.POSITIVE_INFINITY, accessKeys }: CacheEntry<V>): void {
    this.#entries.delete(key); // a replacement becomes the newest entry and evicts no other
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, expiresAtMs: Math.min(expiresAtMs, currentTimeMs() + ENTRY_TTL_MS), accessKeys });
  }

  clear(): void {
    this.#entries.clear();
  }

  drop(changed: Set<string>): void {
    for (const [key, { accessKeys }] of this.#entries)
      if (accessKeys.some((accessKey) => changed.has(accessKey))) this.#entries.delete(key);
  }
}

/** When MongoDB elects another primary, changes that cached entries already contain may be rolled back. */
onNewPrimary(clearCaches);

/** Makes this process poll the access changes while it uses a cache. Returns a function that stops the polling. */
export const watchAccessChanges = async (): Promise<() => void> => {
  cursor = currentCursor();
  isPolling = true;
  await refresh();
  return () => {
    isPolling = false;
    stopPolling();
  };
};
