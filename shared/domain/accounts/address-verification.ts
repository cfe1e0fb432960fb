/** Verification of an account's email address. */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { AppError, notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { isId } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { consumeOneTimeToken, findOneTimeTokenOwner } from '../access/one-time-tokens.ts';
import * as mails from '../mails/mail-queue.ts';
import { acceptInvitations } from '../team/accept-invitations.ts';

/** Returns the email of an account. Errors: 404 for an unknown or closed account. */
export const emailOf = async (id: string): Promise<string> => {
  const user = isId(id) ? await User.findOne({ _id: id, status: ACCOUNT_ACTIVE }, { email: 1 }).lean() : null;
  if (!user) throw notFound('User not found');
  return user.email;
};

/**
 * Sends the verification email again; a verified account receives no email.
 * Errors: 404 for an unknown account, 429 for too many emails.
 */
export const sendVerification = async (id: string): Promise<void> => {
  const to = await emailOf(id);
  await mails.assertMailRate('verify', to);
  await mails.queueMail({ template: 'verify', to, values: {} });
};

const codeInvalidError = (error_code: number, text: string) =>
  new AppError(401, 'CODE_INVALID', text).with({ body: { error_code } });

/**
 * Marks the address of an account as verified, within the caller's transaction. Also records an access change, because
 * a verified address can make the account an instance administrator.
 */
export const setVerified = async (id: string, session: ClientSession): Promise<void> => {
  await User.updateOne({ _id: id }, { $set: { emailverified: true } }, { session, ...emits('user.update') });
  await recordAccessChange({ user: id }, session);
};

const ownerUnconfirmedError = () =>
  new AppError(
    401,
    'CREDENTIALS_REQUIRED',
    'password: send the password of the account, or sign in; the code alone does not prove that the account is yours',
  );

const findActiveAccount = async (id: string) => {
  const user = isId(id)
    ? await User.findOne({ _id: id, status: ACCOUNT_ACTIVE }, { email: 1, emailverified: 1 }).lean()
    : null;
  if (!user) throw notFound('User not found').with({ body: { error_code: 10_001 } });
  return user;
};

const assertCode = async (id: string, code: string): Promise<void> => {
  const owner = await findOneTimeTokenOwner('verify', code);
  if (!owner) throw codeInvalidError(10_005, 'The code is unknown or has expired; ask for a new one');
  if (owner !== id) throw codeInvalidError(10_006, 'The code is for another account');
};

/**
 * Verifies the address of an account with the code that was emailed to it, and accepts the account's invitations.
 * `isOwner` must confirm that the caller owns the account, because a stranger may have created it with another person's
 * address.
 * Errors: 401 for an invalid code or a caller who does not own the account, 404 for an unknown account.
 */
export const verifyAddress = async (id: string, code: string, isOwner: (email: string) => Promise<boolean>) => {
  const user = await findActiveAccount(id);
  if (user.emailverified) await acceptInvitations(user); // an earlier call may have been interrupted before this step
  await assertCode(id, code);
  if (!(await isOwner(user.email))) throw ownerUnconfirmedError();
  await inTransaction(async (session) => {
    if (await consumeOneTimeToken('verify', code, session)) await setVerified(id, session);
  });
  await acceptInvitations(user);
};

/**
 * Marks an address as verified at the request of an instance administrator, and returns its account.
 * Errors: 404 for an address without an account.
 */
export const markVerified = async (email: string) => {
  const filter = { email: email.trim().toLowerCase(), status: ACCOUNT_ACTIVE };
  const user = await User.findOne(filter, { email: 1, firstname: 1, lastname: 1, createdAt: 1 }).lean();
  if (!user) throw notFound(`No account has the email ${email}`);
  await inTransaction((session) => setVerified(String(user._id), session));
  await acceptInvitations(user);
  return user;
};
