/** Accounts: how one comes to exist, proves its address, and changes or loses its password (contract a 3.2 to 3.4, 5.2). */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { ACTIVE } from '../../models/project.ts';
import { User } from '../../models/user.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { hashPassword } from '../../passwords.ts';
import { isId } from '../../view.ts';
import { accessChanged } from './access.ts';
import { dropKeys, ownerOf, useKey } from './account-keys.ts';
import { setHash } from './credentials.ts';
import { accept, isInvited } from '../team/invitations.ts';
import * as mails from './mail.ts';

/** What an account is made of; `email` in lower case, `password` in clear. */
export interface NewAccount {
  email: string;
  password: string;
  firstname: string;
  lastname: string;
  phone?: string;
}

const refused = (status: number, code: string, text: string) =>
  new AppError(status, code, text).with({ body: { message: text } });

const taken = async ({ email }: NewAccount): Promise<AppError> =>
  (await User.exists({ email }))
    ? refused(403, 'EMAIL_TAKEN', 'An account with this e-mail exists')
    : refused(403, 'PHONE_TAKEN', 'An account with this phone number exists');

const isWelcome = async (email: string): Promise<boolean> =>
  config.SIGNUP === 'open' || (config.SIGNUP === 'invite' && (await isInvited(email)));

/** How an account is made. */
interface Way {
  /** It is asked by mail to confirm its address. */
  mail: boolean;
  /** An operator makes it and vouches for its address. */
  vouched: boolean;
}

/** Make an account and tell its id; whoever invited it has it as a member. 403 when its e-mail or phone is taken, or it is not welcome (decision 45). */
export const signUp = async (account: NewAccount, { mail, vouched }: Way): Promise<string> => {
  if (!vouched && !(await isWelcome(account.email)))
    throw refused(403, 'SIGNUP_CLOSED', 'Sign-up is by invitation here');
  const _id = newId();
  // Before the costly hash; one that this very call made in an earlier try is none.
  if (await User.exists({ email: account.email, _id: { $ne: _id } })) throw await taken(account);
  const password = await hashPassword(account.password);
  const make = () =>
    inTransaction(async (session) => {
      await User.create([{ ...account, _id, password, emailverified: vouched }], { session });
      return mail && !vouched ? mails.write({ template: 'verify', to: account.email, values: {} }, session) : null;
    });
  let written: string | null = null;
  const made = await makeOnce(async () => {
    written = await make();
  });
  if (!made && !(await User.exists({ _id }))) throw await taken(account);
  if (written) await mails.nudge(written);
  await accept({ id: _id, email: account.email });
  return _id;
};

/** The account's e-mail; 404 where nobody with an account asks. */
export const addressOf = async (id: string): Promise<string> => {
  const user = isId(id) ? await User.findOne({ _id: id, status: ACTIVE }, { email: 1 }).lean() : null;
  if (!user) throw notFound('User not found');
  return user.email;
};

/** Ask an account once more to confirm its address; one that has is sent nothing. */
export const remindToVerify = async (id: string): Promise<void> => {
  const to = await addressOf(id);
  await mails.mustNotFlood('verify', to);
  await mails.send({ template: 'verify', to, values: {} });
};

const unverified = (error_code: number, text: string) =>
  new AppError(401, 'CODE_REFUSED', text).with({ body: { error_code } });

/** Part of the transaction: an operator of this instance may become one by it. */
const setVerified = async (id: string, session: ClientSession): Promise<void> => {
  await User.updateOne({ _id: id }, { $set: { emailverified: true } }, { session });
  await accessChanged({ user: id }, session);
};

/** Note that the address of an account is its owner's, who has the code that was sent there. */
export const verify = async (id: string, code: string): Promise<void> => {
  if (!isId(id) || !(await User.exists({ _id: id, status: ACTIVE })))
    throw notFound('User not found').with({ body: { error_code: 10_001 } });
  const owner = await ownerOf('verify', code);
  if (!owner) throw unverified(10_005, 'The code is unknown or has expired; ask for a new one');
  if (owner !== id) throw unverified(10_006, 'The code is for another account');
  await inTransaction(async (session) => {
    if (await useKey('verify', code, session)) await setVerified(id, session);
  });
  // What a sign-up that was cut off left.
  await accept({ id, email: await addressOf(id) });
};

/** Note the same on the word of who runs this instance, and tell whose account it is; 404 where nobody has that address. */
export const vouchFor = async (email: string) => {
  const filter = { email: email.trim().toLowerCase(), status: ACTIVE };
  const user = await User.findOne(filter, { email: 1, firstname: 1, lastname: 1, createdAt: 1 }).lean();
  if (!user) throw notFound(`No account has the e-mail ${email}`);
  await inTransaction((session) => setVerified(String(user._id), session));
  return user;
};

/** Send whoever has an account with this address a link to choose a new password; all else is the same for who has none. */
export const requestReset = async (email: string): Promise<void> => {
  await mails.mustNotFlood('resetPassword', email);
  await mails.send({ template: 'resetPassword', to: email, values: {} });
};

const noKey = () => notFound('The link is unknown, was used or has expired; ask for a new one');

/** Whose password the key of a mail may change; 404 once it may not. */
export const resetBy = async (key: string): Promise<string> => {
  const owner = await ownerOf('reset', key);
  if (!owner || !(await User.exists({ _id: owner, status: ACTIVE }))) throw noKey();
  return owner;
};

/** Part of the transaction: a new password, the end of every token and key, and a mail that says so, whose id is told. */
const setPassword = async (id: string, hash: string, session: ClientSession): Promise<string> => {
  const user = await User.findOne({ _id: id, status: ACTIVE }, { email: 1 }, { session }).lean();
  if (!user) throw notFound('User not found');
  await setHash(id, hash, session);
  await dropKeys(id, session);
  return mails.write({ template: 'passwordChanged', to: user.email, values: {} }, session);
};

/** Change the password by the key of a mail, and tell whose it is; 404 for a key that is used up. */
export const resetPassword = async (key: string, password: string): Promise<string> => {
  const owner = await resetBy(key);
  const hash = await hashPassword(password);
  const mail = await inTransaction(async (session) => {
    if (!(await useKey('reset', key, session))) throw noKey();
    return setPassword(owner, hash, session);
  });
  await mails.nudge(mail);
  return owner;
};

/** Give somebody who knows the old password a new one; 403 when it is none. */
export const changePassword = async (id: string, { old, chosen }: { old: string; chosen: string }): Promise<void> => {
  if (old === chosen) throw refused(403, 'SAME_PASSWORD', 'The new password is the old one');
  const hash = await hashPassword(chosen);
  await mails.nudge(await inTransaction((session) => setPassword(id, hash, session)));
};

/** Send somebody a link that opens a bot or knowledge base of a project at another device, signed in for a while. */
export const goOnElsewhere = async (
  id: string,
  { id_project, bot_id, namespace_id }: { id_project: string; bot_id?: string; namespace_id?: string },
): Promise<void> => {
  const to = await addressOf(id);
  await mails.mustNotFlood('redirectToDesktopEmail', to);
  const path = bot_id ? `bots/${encodeURIComponent(bot_id)}` : `kb/${encodeURIComponent(namespace_id ?? '')}`;
  const values = { project: encodeURIComponent(id_project), path };
  await mails.send({ template: 'redirectToDesktopEmail', to, values });
};
