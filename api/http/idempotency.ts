/** `Idempotency-Key`: one key is one effect and one answer, however often the POST is sent (faults F5). */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOneEffect } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { IdempotencyKey } from '#shared/models/idempotency-key.ts';
import { makeOnce } from '#shared/mongo.ts';
import { seal, unseal } from './sealed.ts';
import type { Answer } from './send-answer.ts';

const LEASE_MS = 15_000;
const POLL_MS = 20;
const MAX_POLL_MS = 320;
const MAX_KEY = 255;

const hash = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
const leaseFromNow = () => new Date(Date.now() + LEASE_MS);

/** Take a key that is new. */
const claim = (_id: string, request: string): Promise<boolean> =>
  makeOnce(() => IdempotencyKey.create([{ _id, request, lease: leaseFromNow() }]));

/** Take the key of somebody who died at work. */
const takeOver = async (_id: string, request: string): Promise<boolean> => {
  const abandoned = { _id, request, status: null, lease: { $lt: new Date() } };
  return (await IdempotencyKey.updateOne(abandoned, { $set: { lease: leaseFromNow() } })).modifiedCount === 1;
};

/** The reply as it was given. It is kept sealed: some hold tokens or secrets. */
const opened = (reply: string, _id: string): string => {
  const text = unseal(reply, _id);
  if (text === null)
    throw new AppError(409, 'REPLY_LOST', 'The call was done before JWT_SECRET changed, and its reply cannot be read');
  return text;
};

const seek = async (_id: string, request: string): Promise<Answer | 'mine' | 'busy'> => {
  const record = await IdempotencyKey.findOne({ _id }).lean();
  if (!record) return (await claim(_id, request)) ? 'mine' : 'busy';
  if (record.request !== request) {
    throw new AppError(422, 'IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key was used for another request');
  }
  if (record.status) return { status: record.status, reply: opened(record.reply ?? '', _id) };
  return record.lease < new Date() && (await takeOver(_id, request)) ? 'mine' : 'busy';
};

const forget = (_id: string) => IdempotencyKey.deleteOne({ _id, status: null });

const renewed = (_id: string) =>
  setInterval(() => {
    IdempotencyKey.updateOne({ _id, status: null }, { $set: { lease: leaseFromNow() } }).catch((error: Error) =>
      logger.warn({ err: error.message }, 'the lease of an idempotency key was not renewed'),
    );
  }, LEASE_MS / 3);

const remembered = async (_id: string, work: () => Promise<Answer>): Promise<Answer> => {
  const renewal = renewed(_id);
  try {
    const answer = await asOneEffect(_id, work);
    await IdempotencyKey.updateOne({ _id }, { $set: { ...answer, reply: seal(answer.reply, _id) } });
    return answer;
  } catch (error) {
    await forget(_id);
    throw error;
  } finally {
    clearInterval(renewal);
  }
};

/**
 * Do `work` once per key of the caller and route. A second call waits for the first and gets its answer;
 * a key whose work throws is forgotten, so that it can be tried again.
 * Errors: 400 for a key longer than 255, 422 for a key that stood for another body.
 */
export const once = async (
  scope: string[],
  body: unknown,
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> => {
  if ((scope.at(-1) ?? '').length > MAX_KEY)
    throw new AppError(400, 'INVALID', `Idempotency-Key is longer than ${MAX_KEY}`);
  const _id = hash(...scope);
  const request = hash(JSON.stringify(body) ?? '');
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, MAX_POLL_MS)) {
    const found = await seek(_id, request);
    if (found === 'mine') return { ...(await remembered(_id, work)), replayed: false };
    if (found !== 'busy') return { ...found, replayed: true };
    await sleep(wait);
  }
};
