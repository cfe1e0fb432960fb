/** Accounts: how one comes to exist, proves its address, and changes or loses its password. */
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
import { accept, isInvited, provesAddress } from '../team/invitations.ts';
import { ownsAddress } from './address-proof.ts';
import * as mails from './mail.ts';
import { read } from './profiles.ts';

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

const noInvitation = () =>
  refused(403, 'INVITATION_UNKNOWN', 'invitation: not one for this e-mail, or taken back; ask for a new one');

/** How an account is made. */
interface SignUp {
  /** It is asked by mail to confirm its address. */
  mail: boolean;
  /** An instance administrator makes it and vouches for its address. */
  vouched: boolean;
  /** The secret in the mail of an invitation, which proves the address. */
  invitation?: string;
}

const isProved = async (email: string, { vouched, invitation }: SignUp): Promise<boolean> => {
  if (invitation !== undefined && !(await provesAddress(invitation, email))) throw noInvitation();
  return vouched || invitation !== undefined;
};

/** SIGNUP=invite asks for an invited address, proved as INVITATIONS says. */
const mustBeWelcome = async (email: string, proved: boolean): Promise<void> => {
  if (config.SIGNUP === 'open') return;
  if (config.SIGNUP === 'invite' && (await isInvited(email)) && ownsAddress({ emailverified: proved })) return;
  throw refused(403, 'SIGNUP_CLOSED', 'Sign-up is by invitation here: use the link in the mail of the invitation');
};

const make = async (account: NewAccount & { _id: string }, how: SignUp): Promise<void> => {
  const emailverified = await isProved(account.email, how);
  if (!how.vouched) await mustBeWelcome(account.email, emailverified);
  if (await User.exists({ email: account.email })) throw await taken(account); // before the costly hash
  const password = await hashPassword(account.password);
  const mail = { template: 'verify', to: account.email, values: {} } as const;
  let written: string | null = null;
  const isMade = await makeOnce(() =>
    inTransaction(async (session) => {
      await User.create([{ ...account, password, emailverified }], { session });
      written = how.mail && !emailverified ? await mails.write(mail, session) : null;
    }),
  );
  if (!isMade) throw await taken(account);
  if (written) await mails.nudge(written);
};

/** Make an account and answer its id; where its address is proved, it is a member of every project that invited it. 403 when its e-mail or phone is taken, or it is not welcome. */
export const signUp = async (account: NewAccount, how: SignUp): Promise<string> => {
  const _id = newId();
  // An earlier attempt of this very call may have made it.
  if (!(await User.exists({ _id }))) await make({ ...account, _id }, how);
  await accept(account);
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

const noOwner = () =>
  new AppError(
    401,
    'CREDENTIALS_REQUIRED',
    'password: confirm with the password of the account, or signed in to it; the code alone does not tell who opened it',
  );

const inUse = async (id: string) => {
  const user = isId(id) ? await User.findOne({ _id: id, status: ACTIVE }, { email: 1, emailverified: 1 }).lean() : null;
  if (!user) throw notFound('User not found').with({ body: { error_code: 10_001 } });
  return user;
};

const mustHaveCode = async (id: string, code: string): Promise<void> => {
  const owner = await ownerOf('verify', code);
  if (!owner) throw unverified(10_005, 'The code is unknown or has expired; ask for a new one');
  if (owner !== id) throw unverified(10_006, 'The code is for another account');
};

/**
 * Note that an account has proved its address: the code was sent there, and whoever has it also holds the account, which
 * `isOwner` tells. A stranger may have opened the account with somebody else's address.
 */
export const verify = async (id: string, code: string, isOwner: (email: string) => Promise<boolean>) => {
  const user = await inUse(id);
  if (user.emailverified) await accept(user); // what an earlier call left that was cut off
  await mustHaveCode(id, code);
  if (!(await isOwner(user.email))) throw noOwner();
  await inTransaction(async (session) => {
    if (await useKey('verify', code, session)) await setVerified(id, session);
  });
  await accept(user);
};

/** Note the same on the word of who runs this instance, and answer whose account it is; 404 where nobody has that address. */
export const vouchFor = async (email: string) => {
  const filter = { email: email.trim().toLowerCase(), status: ACTIVE };
  const user = await User.findOne(filter, { email: 1, firstname: 1, lastname: 1, createdAt: 1 }).lean();
  if (!user) throw notFound(`No account has the e-mail ${email}`);
  await inTransaction((session) => setVerified(String(user._id), session));
  await accept(user);
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

/**
 * Change the password by the key of a mail, and answer whose it is; 404 for a key that is used up. It proves the address:
 * whoever reads the mails there holds the account from now on, and nobody else does.
 */
export const resetPassword = async (key: string, password: string): Promise<string> => {
  const owner = await resetBy(key);
  const hash = await hashPassword(password);
  const mail = await inTransaction(async (session) => {
    if (!(await useKey('reset', key, session))) throw noKey();
    await setVerified(owner, session);
    return setPassword(owner, hash, session);
  });
  await mails.nudge(mail);
  await accept({ email: await addressOf(owner) });
  return owner;
};

/** Give somebody who knows the old password a new one; 403 when it is none. */
export const changePassword = async (id: string, { old, chosen }: { old: string; chosen: string }): Promise<void> => {
  if (old === chosen) throw refused(403, 'SAME_PASSWORD', 'The new password is the old one');
  const hash = await hashPassword(chosen);
  await mails.nudge(await inTransaction((session) => setPassword(id, hash, session)));
};

const unproved = () =>
  new AppError(
    403,
    'ADDRESS_UNPROVED',
    'Confirm the e-mail address of the account first: this link signs in whoever reads it',
  );

/** Send somebody a link that opens a bot or knowledge base of a project at another device, signed in for a while. */
export const goOnElsewhere = async (
  id: string,
  { id_project, bot_id, namespace_id }: { id_project: string; bot_id?: string; namespace_id?: string },
): Promise<void> => {
  const user = await read(id);
  if (!ownsAddress(user)) throw unproved();
  const to = user.email;
  await mails.mustNotFlood('redirectToDesktopEmail', to);
  const path = bot_id ? `bots/${encodeURIComponent(bot_id)}` : `kb/${encodeURIComponent(namespace_id ?? '')}`;
  const values = { project: encodeURIComponent(id_project), path };
  await mails.send({ template: 'redirectToDesktopEmail', to, values });
};
