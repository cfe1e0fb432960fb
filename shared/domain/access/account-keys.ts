/** Keys that are mailed to the owner of an account: each opens one thing, once, for a while; only its hash is kept. */
import { createHash, randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { AccountKey } from '../../models/account-key.ts';

const MINUTE_MS = 60_000;
const LIVES_MS = { verify: 15 * MINUTE_MS, reset: 60 * MINUTE_MS };
/** A key in the mail of an invitation, which is read later than one that was just asked for. */
export const INVITATION_LIFE_MS = 7 * 24 * 60 * MINUTE_MS;

export type Kind = keyof typeof LIVES_MS;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

const inForce = (kind: Kind, key: string) => ({ _id: hashOf(key), kind, expiresAt: { $gt: new Date() } });

/** A new key for an account; earlier ones stay good, for mails overtake each other. */
export const makeKey = async (kind: Kind, user: string, lifeMs = LIVES_MS[kind]): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + lifeMs);
  await AccountKey.create([{ _id: hashOf(key), kind, id_user: user, expiresAt }]);
  return key;
};

/** Whose account a key opens, or null when it is unknown, used up or expired. */
export const ownerOf = async (kind: Kind, key: string): Promise<string | null> => {
  const found = await AccountKey.findOne(inForce(kind, key), { id_user: 1 }).lean();
  return found?.id_user ?? null;
};

/** Use a key up, and with it all others of its kind that the account has; false when it is no longer in force. */
export const useKey = async (kind: Kind, key: string, session: ClientSession): Promise<boolean> => {
  const used = await AccountKey.findOneAndDelete(inForce(kind, key), { session }).lean();
  if (used) await AccountKey.deleteMany({ id_user: used.id_user, kind }, { session });
  return Boolean(used);
};

/** Make every key of an account useless. */
export const dropKeys = async (user: string, session: ClientSession): Promise<void> => {
  await AccountKey.deleteMany({ id_user: user }, { session });
};
