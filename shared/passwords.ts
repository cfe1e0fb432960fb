/** Passwords: argon2id, never more hashes at once than leave the other requests their turn. Those that bcrypt hashed elsewhere are believed too. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';

const derive = promisify(argon2);
const COST = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
const BCRYPT = /^\$2[aby]\$/;

let last: Promise<unknown> = Promise.resolve();

/** One hash at a time and process: each takes a core for some 20 ms. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
};

const digest = (password: string, nonce: Buffer) =>
  inTurn(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, ...COST }));

/** The text kept for a password. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await digest(password, nonce);
  return `argon2id$${nonce.toString('base64')}$${tag.toString('base64')}`;
};

const DUMMY = `argon2id$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

/** True for a hash that is to be replaced by ours when its password is given the next time. */
export const isOutdated = (stored: string): boolean => BCRYPT.test(stored);

/** True when the password is the one that was kept; takes as long when there is none (attack A24). */
export const verifyPassword = async (password: string, stored: string = DUMMY): Promise<boolean> => {
  if (isOutdated(stored)) return inTurn(() => bcrypt.compare(password, stored));
  const [, nonce = '', tag = ''] = stored.split('$');
  const given = await digest(password, Buffer.from(nonce, 'base64'));
  const kept = Buffer.from(tag, 'base64');
  return given.length === kept.length && timingSafeEqual(given, kept) && stored !== DUMMY;
};
