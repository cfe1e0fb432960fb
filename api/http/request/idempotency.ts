/**
 * Implements `Idempotency-Key`: a POST that is sent several times with the same key takes effect once, and every call
 * receives the same response.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withIdempotentIds } from '#shared/context.ts';
import { insertIfAbsent } from '#shared/database/unique-keys.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { IdempotencyKey } from '#shared/models/idempotency-key.ts';
import { currentTime, currentTimeMs } from '#shared/time/clock.ts';
import { errorBody } from '../response/errors.ts';
import type { JsonResponse } from '../response/send-json.ts';
import { decryptReply, encryptReply } from './reply-encryption.ts';

const LEASE_MS = 15_000;
const POLL_MS = 20;
const MAX_POLL_MS = 320;
const MAX_KEY_LENGTH = 255;

const hashParts = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
const leaseEnd = () => new Date(currentTimeMs() + LEASE_MS);

/** Stores a new key with a lease. Returns false if the key already exists. */
const lockKey = (_id: string, bodyHash: string): Promise<boolean> =>
  insertIfAbsent(() => IdempotencyKey.create([{ _id, bodyHash, leaseUntil: leaseEnd() }]));

/**
 * Takes over a key whose lease has expired because the process that held it stopped without storing a reply. Returns
 * false if another call was faster.
 */
const takeOverExpired = async (_id: string, bodyHash: string): Promise<boolean> => {
  const expired = { _id, bodyHash, status: null, leaseUntil: { $lt: currentTime() } };
  return (await IdempotencyKey.updateOne(expired, { $set: { leaseUntil: leaseEnd() } })).modifiedCount === 1;
};

/** Decrypts a stored reply (some contain tokens or secrets). Throws 409 if the encryption key has changed. */
const decryptStoredReply = (reply: string, _id: string): string => {
  const text = decryptReply(reply, _id);
  if (text === null)
    throw new AppError(
      409,
      'REPLY_UNREADABLE',
      'The call was completed, but its stored reply cannot be decrypted because JWT_SECRET has changed; read the record instead',
    );
  return text;
};

const findReplyOrLock = async (_id: string, bodyHash: string): Promise<JsonResponse | 'acquired' | 'in_progress'> => {
  const record = await IdempotencyKey.findOne({ _id }).lean();
  if (!record) return (await lockKey(_id, bodyHash)) ? 'acquired' : 'in_progress';
  if (record.bodyHash !== bodyHash) {
    throw new AppError(
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key was used with a different request body; use a new key',
    );
  }
  if (record.status) return { status: record.status, reply: decryptStoredReply(record.reply ?? '', _id) };
  return record.leaseUntil < currentTime() && (await takeOverExpired(_id, bodyHash)) ? 'acquired' : 'in_progress';
};

const unlockKey = (_id: string) => IdempotencyKey.deleteOne({ _id, status: null });

const startRenewal = (_id: string) =>
  setInterval(() => {
    IdempotencyKey.updateOne({ _id, status: null }, { $set: { leaseUntil: leaseEnd() } }).catch((error: Error) =>
      logger.warn({ err: error.message }, 'the lease of an idempotency key was not renewed'),
    );
  }, LEASE_MS / 3);

const isJsonResponse = (result: object): result is JsonResponse => 'reply' in result;

/** The error for a call that has an `Idempotency-Key` and whose response is a stream. */
export const streamNotStorable = (): AppError =>
  new AppError(422, 'INVALID', 'Idempotency-Key cannot be combined with `stream: true`');

/**
 * Returns the response to store with an idempotency key. An error becomes a response, too, unless it is temporary (429,
 * 5xx): a temporary error is thrown and not stored, because a retry may succeed.
 */
const toReplayable = async (pendingResult: Promise<object>): Promise<JsonResponse> => {
  try {
    const result = await pendingResult;
    if (!isJsonResponse(result)) throw streamNotStorable();
    return { status: result.status, reply: result.reply };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    return { status: error.status, reply: JSON.stringify(errorBody(error)) };
  }
};

const runAndStore = async (_id: string, work: () => Promise<object>): Promise<JsonResponse> => {
  const renewal = startRenewal(_id);
  try {
    const response = await withIdempotentIds(_id, () => toReplayable(work()));
    await IdempotencyKey.updateOne({ _id }, { $set: { ...response, reply: encryptReply(response.reply, _id) } });
    return response;
  } catch (error) {
    await unlockKey(_id);
    throw error;
  } finally {
    clearInterval(renewal);
  }
};

/**
 * Runs `work` once per scope (caller, URL, key). A second call waits for the first one and returns its response. An
 * error of `work` is stored and returned as the response; a temporary error is thrown instead, and the key is released.
 * Throws 400 for a key longer than 255 characters, 422 for a key that was used with another body, and 409 if the stored
 * reply cannot be decrypted.
 */
export const runOnce = async (
  scope: string[],
  body: unknown,
  work: () => Promise<object>,
): Promise<JsonResponse & { replayed: boolean }> => {
  if ((scope.at(-1) ?? '').length > MAX_KEY_LENGTH)
    throw new AppError(400, 'INVALID', `Idempotency-Key must have at most ${MAX_KEY_LENGTH} characters`);
  const _id = hashParts(...scope);
  const bodyHash = hashParts(JSON.stringify(body) ?? '');
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, MAX_POLL_MS)) {
    const result = await findReplyOrLock(_id, bodyHash);
    if (result === 'acquired') return { ...(await runAndStore(_id, work)), replayed: false };
    if (result !== 'in_progress') return { ...result, replayed: true };
    await sleep(wait);
  }
};
