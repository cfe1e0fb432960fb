/**
 * Values of the current request or job, kept in an `AsyncLocalStorage` instead of being passed as arguments.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { Types } from 'mongoose';

/** The record that a call may change, and the versions of it that `If-Match` allows. */
export interface ExpectedVersion {
  collection: string;
  key: Record<string, string>;
  versions: number[];
  /**
   * Set by the first write that finds an allowed version. That write changes the version, so later writes are not
   * checked.
   */
  matched: boolean;
}

/**
 * The actor of a write, as stored with its events. In payloads of events, the type of a subscription is `system`, and
 * the type of a visitor is `user`.
 */
export interface CurrentActor {
  type: 'user' | 'visitor' | 'bot' | 'subscription' | 'system';
  id: string;
  name?: string;
  /** Of a trigger run: 1 if a person or program caused its event, 2 if an action of a run of depth 1 did, and so on. */
  depth?: number;
  /** Only in stored events: the span of the call, as the value of a `traceparent` header. */
  trace?: string;
}

/** The authenticated caller of a request; in a job, the trigger whose action runs. */
interface RequestCaller {
  kind: string;
  id: string;
  fullname?: string;
  depth?: number;
}

interface RequestStore {
  correlationId?: string;
  /** The current span, as the value of a `traceparent` header; absent while tracing is off. */
  traceparent?: string;
  caller?: RequestCaller;
  idempotentEffect?: { key: string; idsCreated: number };
  expectedVersion?: ExpectedVersion;
}

const store = new AsyncLocalStorage<RequestStore>();

/** Runs `work` under a correlation id. An HTTP call and the jobs that it enqueues log the same id. */
export const withCorrelationId = <T>(correlationId: string, work: () => T): T => store.run({ correlationId }, work);

/** The correlation id of the current request or job, if any. */
export const correlationId = (): string | undefined => store.getStore()?.correlationId;

/** Runs `work` in the span that `traceparent` names. */
export const withTraceparent = <T>(traceparent: string, work: () => T): T =>
  store.run({ ...store.getStore(), traceparent }, work);

/** The current span as the value of a `traceparent` header, if any. */
export const currentTraceparent = (): string | undefined => store.getStore()?.traceparent;

/** Sets the caller of the current request or job. Does nothing outside one. */
export const setCaller = (caller: RequestCaller): void => {
  const current = store.getStore();
  if (current) current.caller = caller;
};

const ACTOR_TYPES: Record<string, CurrentActor['type']> = {
  user: 'user',
  guest: 'visitor',
  userexternal: 'visitor',
  bot: 'bot',
  subscription: 'subscription',
  trigger: 'system',
};

/** Runs `work` on behalf of a caller. */
export const withCaller = <T>(caller: RequestCaller, work: () => T): T =>
  store.run({ ...store.getStore(), caller }, work);

/** The actor of the current request or trigger; undefined for other work that the system starts. */
export const currentActor = (): CurrentActor | undefined => {
  const { kind = '', id = '', fullname, depth } = store.getStore()?.caller ?? {};
  const type = ACTOR_TYPES[kind];
  return type && { type, id, ...(fullname && { name: fullname }), ...(depth && { depth }) };
};

/**
 * Runs `work` so that a repetition creates no duplicates: in every attempt with the same key, `newId` and `newUuid`
 * return the same ids, in call order.
 */
export const withIdempotentIds = <T>(key: string, work: () => T): T =>
  store.run({ ...store.getStore(), idempotentEffect: { key, idsCreated: 0 } }, work);

/**
 * Runs `work` with an expected record version, which the first write to that record checks
 * (database/plugins/if-match.ts).
 */
export const withExpectedVersion = <T>(expected: ExpectedVersion, work: () => T): T =>
  store.run({ ...store.getStore(), expectedVersion: expected }, work);

/** The expected record version of the current request, if any. */
export const expectedVersion = (): ExpectedVersion | undefined => store.getStore()?.expectedVersion;

const nextDigest = (): string | undefined => {
  const effect = store.getStore()?.idempotentEffect;
  if (!effect) return undefined;
  effect.idsCreated += 1;
  return createHash('sha256').update(`${effect.key} ${effect.idsCreated}`).digest('hex');
};

/**
 * Returns a new record id. Work that is repeated within `withIdempotentIds` gets the ids of the interrupted attempt,
 * and so finds the records that the interrupted attempt has created.
 */
export const newId = (): string => nextDigest()?.slice(0, 24) ?? String(new Types.ObjectId());

/** Returns a new UUID (version 4), which is repeated in the same way as an id from `newId`. */
export const newUuid = (): string =>
  nextDigest()?.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5') ?? randomUUID();
