/** Checks, changes and resets the passwords of accounts. A new password revokes all tokens of the account. */
import type { ClientSession, Types } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../../security/passwords.ts';
import { emitAccountEvents } from '../access/account-events.ts';
import { consumeOneTimeToken, deleteOneTimeTokens, findOneTimeTokenOwner } from '../access/one-time-tokens.ts';
import { revokeTokens } from '../access/sessions.ts';
import * as mails from '../mails/mail-queue.ts';
import { acceptInvitations } from '../team/accept-invitations.ts';
import { accountError } from './account-errors.ts';
import { emailOf, setVerified } from './address-verification.ts';

/** Upgrades an outdated hash to the current format, unless the password has changed in the meantime. */
const rehashPassword = async (
  { _id, password: outdatedHash }: { _id: Types.ObjectId; password: string },
  password: string,
) => {
  await User.updateOne({ _id, password: outdatedHash }, { $set: { password: await hashPassword(password) } });
};

/**
 * Returns the account with the given email and password, or null if there is none. Takes the same time in both cases,
 * so that the timing does not reveal whether the account exists. An account with an imported bcrypt hash is an
 * exception until its first sign-in, because comparing such a hash takes a different amount of time.
 */
export const findAccountByPassword = async (email: string, password: string) => {
  const user = await User.findOne({ email: email.trim().toLowerCase(), status: ACCOUNT_ACTIVE }).lean();
  if (!(await verifyPassword(password, user?.password)) || !user) return null;
  if (isOutdatedHash(user.password)) await rehashPassword(user, password);
  return user;
};

/** Sets the password hash of an account and revokes its tokens, within the caller's transaction. */
export const setPasswordHash = async (id: string, hash: string, session: ClientSession): Promise<void> => {
  await User.updateOne({ _id: id }, { $set: { password: hash }, $inc: { epoch: 1 } }, { session });
  await revokeTokens(id, session);
};

/**
 * Emails a link for choosing a new password. Does not reveal whether an account has the address.
 * Errors: 429 for too many emails.
 */
export const requestPasswordReset = async (email: string): Promise<void> => {
  await mails.assertMailRate('resetPassword', email);
  await mails.queueMail({ template: 'resetPassword', to: email, values: {} });
};

const linkUnknownError = () => notFound('The link is unknown, used or expired; ask for a new one');

/**
 * Returns the id of the account whose password an emailed token may reset.
 * Errors: 404 for a token that is unknown, used or expired.
 */
export const findPasswordResetOwner = async (token: string): Promise<string> => {
  const owner = await findOneTimeTokenOwner('reset', token);
  if (!owner || !(await User.exists({ _id: owner, status: ACCOUNT_ACTIVE }))) throw linkUnknownError();
  return owner;
};

/**
 * Sets a new password, revokes all tokens and creates the email that reports the change, within the transaction.
 * Returns the ids of the email and of its copy for `EMAIL_BCC`, if there is one.
 */
const setPasswordAndNotify = async (id: string, hash: string, session: ClientSession): Promise<string[]> => {
  const user = await User.findOne({ _id: id, status: ACCOUNT_ACTIVE }, { email: 1 }, { session }).lean();
  if (!user) throw notFound('User not found');
  await setPasswordHash(id, hash, session);
  await deleteOneTimeTokens(id, session);
  return mails.createMail({ template: 'passwordChanged', to: user.email, values: {} }, session);
};

/**
 * Resets a password with an emailed token and returns the account's id. Also marks the address as verified, because the
 * token was sent to it.
 * Errors: 404 for a token that is unknown, used or expired.
 */
export const resetPassword = async (token: string, password: string): Promise<string> => {
  const owner = await findPasswordResetOwner(token);
  const hash = await hashPassword(password);
  const mailIds = await inTransaction(async (session) => {
    if (!(await consumeOneTimeToken('reset', token, session))) throw linkUnknownError();
    await setVerified(owner, session);
    await emitAccountEvents(owner, emits('user.resetpassword'), { session });
    return setPasswordAndNotify(owner, hash, session);
  });
  await mails.enqueueMails(mailIds);
  await acceptInvitations({ email: await emailOf(owner) });
  return owner;
};

/**
 * Changes a password; the caller has checked the old one.
 * Errors: 403 if the old and new passwords are the same, 404 for an unknown account.
 */
export const changePassword = async (
  id: string,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<void> => {
  if (oldPassword === newPassword)
    throw accountError(403, 'PASSWORD_UNCHANGED', 'The new password must differ from the old one');
  const hash = await hashPassword(newPassword);
  await mails.enqueueMails(await inTransaction((session) => setPasswordAndNotify(id, hash, session)));
};
