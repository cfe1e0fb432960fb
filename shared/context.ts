/** What one request or job carries from end to end without being handed on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { Types } from 'mongoose';

/** The record that a call is to change, and the versions at which it may (decision 43). */
export interface Expected {
  collection: string;
  key: Record<string, string>;
  versions: number[];
  /** True once a write found it so: it is of another version from then on. */
  met: boolean;
}

/** Who makes something happen, as events tell of it. */
export interface Doer {
  type: 'user' | 'visitor' | 'bot' | 'subscription' | 'system';
  id: string;
  name?: string;
}

/** A caller with checked credentials. */
interface Caller {
  kind: string;
  id: string;
  fullname?: string;
}

interface Carried {
  requestId?: string;
  caller?: Caller;
  effect?: { key: string; made: number };
  expected?: Expected;
}

const store = new AsyncLocalStorage<Carried>();

/** Run `work` under one request id: HTTP, its jobs and its webhooks log the same. */
export const withRequestId = <T>(requestId: string, work: () => T): T => store.run({ requestId }, work);

/** The id of the request or job that runs now, if any. */
export const requestId = (): string | undefined => store.getStore()?.requestId;

/** From here on the work of this request is a caller's. */
export const actFor = (caller: Caller): void => {
  const carried = store.getStore();
  if (carried) carried.caller = caller;
};

const TYPES: Record<string, Doer['type']> = {
  user: 'user',
  guest: 'visitor',
  userexternal: 'visitor',
  bot: 'bot',
  subscription: 'subscription',
};

/** The caller whose work this is; undefined where the system does it by itself. */
export const doer = (): Doer | undefined => {
  const { kind = '', id = '', fullname } = store.getStore()?.caller ?? {};
  const type = TYPES[kind];
  return type && { type, id, ...(fullname && { name: fullname }) };
};

/** Run `work` as one try of an effect: every try of the same key is given the same new ids, in the order it asks. */
export const asOneEffect = <T>(key: string, work: () => T): T =>
  store.run({ ...store.getStore(), effect: { key, made: 0 } }, work);

/** Run `work` as the change of a record that is to be as its caller knows it; every write of that record keeps it. */
export const expecting = <T>(expected: Expected, work: () => T): T =>
  store.run({ ...store.getStore(), expected }, work);

/** What is expected of a record, if anything. */
export const expectation = (): Expected | undefined => store.getStore()?.expected;

const nextDigest = (): string | undefined => {
  const effect = store.getStore()?.effect;
  if (!effect) return undefined;
  effect.made += 1;
  return createHash('sha256').update(`${effect.key} ${effect.made}`).digest('hex');
};

/** The id of a new record; a retry gets the id of the try that was cut off, and so meets the record that one made. */
export const newId = (): string => nextDigest()?.slice(0, 24) ?? String(new Types.ObjectId());

/** The same as a UUID of version 4. */
export const newUuid = (): string =>
  nextDigest()?.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5') ?? randomUUID();
