/**
 * Limits password guessing in two ways. After MAX_ATTEMPTS failed attempts from one network on one account, further
 * attempts from this network on this account are rejected until WINDOW_SECONDS after the first one. Attempts on one
 * account from all networks together are only delayed, so that an attacker cannot lock the owner out. Attempts on
 * accounts that do not exist are handled in the same way, so that responses do not reveal which accounts exist.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { runExclusive } from '#shared/concurrency/keyed-mutex.ts';
import { AppError } from '#shared/errors.ts';
import { clientNetwork, createLimiter } from '../limits/rate-limit.ts';

const MAX_ATTEMPTS = 10;
const WINDOW_SECONDS = 900;
const MAX_DELAY_MS = 2000;

const networkLimiter = createLimiter('guess', { points: MAX_ATTEMPTS, seconds: WINDOW_SECONDS });
const accountLimiter = createLimiter('account', { points: 1_000_000, seconds: WINDOW_SECONDS });

const hashAccount = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const rejectAttempt = (refusal: unknown): never => {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  const wait = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  throw new AppError(429, 'RATE_LIMITED', `Too many wrong passwords; try again in ${wait} s`).retryAfter(wait);
};

/** Delay of an attempt in milliseconds: none up to MAX_ATTEMPTS, then doubling with each attempt up to MAX_DELAY_MS. */
const attemptDelayMs = (attempts: number): number =>
  attempts <= MAX_ATTEMPTS ? 0 : Math.min(MAX_DELAY_MS, 50 * 2 ** (attempts - MAX_ATTEMPTS));

const runAttempt = async <T>(
  accountHash: string,
  attemptKey: string,
  attempt: () => Promise<T | null>,
): Promise<T | null> => {
  await networkLimiter.consume(attemptKey).catch(rejectAttempt);
  const { consumedPoints } = await accountLimiter.consume(accountHash);
  await sleep(attemptDelayMs(consumedPoints));
  const account = await attempt();
  if (account !== null) await Promise.all([networkLimiter.reward(attemptKey), accountLimiter.reward(accountHash)]);
  return account;
};

/**
 * Runs one attempt to sign in with a password. Resolves to null if the password is wrong; throws 429 after too many
 * wrong ones. Correct passwords are not counted. Within a process, attempts on one account from one network run one at
 * a time: each is counted as wrong until it succeeds. If many ran at the same time, correct ones would be rejected,
 * too.
 */
export const throttleAttempt = <T>(
  { account, ip }: { account: string; ip: string },
  attempt: () => Promise<T | null>,
): Promise<T | null> => {
  const accountHash = hashAccount(account.trim().toLowerCase());
  const attemptKey = `${accountHash}:${clientNetwork(ip)}`;
  return runExclusive(`login ${attemptKey}`, () => runAttempt(accountHash, attemptKey, attempt));
};
