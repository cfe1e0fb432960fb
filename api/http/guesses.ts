/**
 * Guessing of passwords, held back: so many tries from one address at one account, and ever slower ones at an account
 * from anywhere, so that nobody can lock its owner out from afar (decision 44, attack A10). Accounts that do not exist
 * are counted alike (A24).
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#shared/errors.ts';
import { inLine } from '#shared/in-line.ts';
import { networkOf } from './address.ts';
import { limiterOf } from './rate-limit.ts';

const TRIES = 10;
const WINDOW_S = 900;
const SLOWEST_MS = 2000;

const pairs = limiterOf('guess', { points: TRIES, seconds: WINDOW_S });
const accounts = limiterOf('account', { points: 1_000_000, seconds: WINDOW_S });

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const refuse = (refusal: unknown): never => {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  const wait = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  throw new AppError(429, 'RATE_LIMITED', `Too many wrong passwords; try again in ${wait} s`).with({
    body: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  });
};

/** Milliseconds that a try waits after so many wrong ones. */
const slowness = (tries: number): number => (tries <= TRIES ? 0 : Math.min(SLOWEST_MS, 50 * 2 ** (tries - TRIES)));

const tried = async <T>(whose: string, pair: string, attempt: () => Promise<T | null>): Promise<T | null> => {
  await pairs.consume(pair).catch(refuse);
  const { consumedPoints } = await accounts.consume(whose);
  await sleep(slowness(consumedPoints));
  const found = await attempt();
  if (found !== null) await Promise.all([pairs.reward(pair), accounts.reward(whose)]);
  return found;
};

/**
 * Make one try at an account's password, null for a wrong one; 429 after too many of them. Right ones do not count,
 * and wait for each other: many at once would look like guesses until each is known to be right.
 */
export const guarded = <T>(
  { account, ip }: { account: string; ip: string },
  attempt: () => Promise<T | null>,
): Promise<T | null> => {
  const whose = hashed(account.trim().toLowerCase());
  const pair = `${whose}:${networkOf(ip)}`;
  return inLine(`guess ${pair}`, () => tried(whose, pair, attempt));
};
