/** Hashes and verifies passwords with argon2id. Also verifies imported bcrypt hashes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';
import { runExclusive } from '../concurrency/keyed-mutex.ts';

const derive = promisify(argon2);
const ARGON2_COST = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
const BCRYPT_PREFIX = /^\$2[aby]\$/;

/**
 * Computes one hash at a time per process. Each hash occupies a core for about 20 ms, so several concurrent hashes
 * would delay all other requests.
 */
const runOneAtATime = <T>(work: () => Promise<T>): Promise<T> => runExclusive('password hash', work);

const hashWithNonce = (password: string, nonce: Buffer) =>
  runOneAtATime(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, ...ARGON2_COST }));

/** Returns the text to store for a password: the algorithm, the nonce (salt) and the tag (hash) in one string. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await hashWithNonce(password, nonce);
  return `argon2id$${nonce.toString('base64')}$${tag.toString('base64')}`;
};

const DUMMY_HASH = `argon2id$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

/** Whether a hash should be replaced by an argon2id hash at the next successful sign-in. */
export const isOutdatedHash = (stored: string): boolean => BCRYPT_PREFIX.test(stored);

/**
 * Whether the password matches the stored hash. Without a hash, returns false after the time that an argon2id hash
 * takes, so that timing does not reveal which accounts exist. A bcrypt hash takes a different amount of time.
 */
export const verifyPassword = async (password: string, stored: string = DUMMY_HASH): Promise<boolean> => {
  if (isOutdatedHash(stored)) return runOneAtATime(() => bcrypt.compare(password, stored));
  const [, nonce = '', tag = ''] = stored.split('$');
  const actual = await hashWithNonce(password, Buffer.from(nonce, 'base64'));
  const expected = Buffer.from(tag, 'base64');
  return actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== DUMMY_HASH;
};
