/**
 * One-time tokens that are emailed to the owner of an account. Each has one purpose (its `kind`) and a limited
 * lifetime; only its hash is stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { OneTimeToken } from '../../models/one-time-token.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';

const MINUTE_MS = 60_000;
const LIFETIME_MS = { verify: 15 * MINUTE_MS, reset: 60 * MINUTE_MS };
/**
 * Lifetime of a verification token in an invitation email. It is long because the recipient has not requested the
 * email and may read it days later.
 */
export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * MINUTE_MS;

export type OneTimeTokenKind = keyof typeof LIFETIME_MS;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const unexpiredFilter = (kind: OneTimeTokenKind, token: string) => ({
  _id: hashOf(token),
  kind,
  expiresAt: { $gt: currentTime() },
});

/**
 * Creates a token for an account and returns it. Earlier tokens stay valid, because emails can arrive out of order.
 */
export const createOneTimeToken = async (
  kind: OneTimeTokenKind,
  user: string,
  lifetimeMs = LIFETIME_MS[kind],
): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(currentTimeMs() + lifetimeMs);
  await OneTimeToken.create([{ _id: hashOf(token), kind, id_user: user, expiresAt }]);
  return token;
};

/** Returns the id of the account that a token belongs to, or null if the token is unknown, used or expired. */
export const findOneTimeTokenOwner = async (kind: OneTimeTokenKind, token: string): Promise<string | null> => {
  const found = await OneTimeToken.findOne(unexpiredFilter(kind, token), { id_user: 1 }).lean();
  return found?.id_user ?? null;
};

/**
 * Deletes a token and all other tokens of the same kind and account. Returns false if the token is unknown, used or
 * expired.
 */
export const consumeOneTimeToken = async (
  kind: OneTimeTokenKind,
  token: string,
  session: ClientSession,
): Promise<boolean> => {
  const used = await OneTimeToken.findOneAndDelete(unexpiredFilter(kind, token), { session }).lean();
  if (used) await OneTimeToken.deleteMany({ id_user: used.id_user, kind }, { session });
  return Boolean(used);
};

/** Deletes all one-time tokens of an account, within the caller's transaction. */
export const deleteOneTimeTokens = async (user: string, session: ClientSession): Promise<void> => {
  await OneTimeToken.deleteMany({ id_user: user }, { session });
};
