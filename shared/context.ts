/** What one request or job carries from end to end without being handed on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { Types } from 'mongoose';

interface Carried {
  requestId?: string;
  effect?: { key: string; made: number };
}

const store = new AsyncLocalStorage<Carried>();

/** Run `work` under one request id: HTTP, its jobs and its webhooks log the same. */
export const withRequestId = <T>(requestId: string, work: () => T): T => store.run({ requestId }, work);

/** The id of the request or job that runs now, if any. */
export const requestId = (): string | undefined => store.getStore()?.requestId;

/** Run `work` as one try of an effect: every try of the same key is given the same new ids, in the order it asks. */
export const asOneEffect = <T>(key: string, work: () => T): T =>
  store.run({ requestId: requestId(), effect: { key, made: 0 } }, work);

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
