/** Creates accounts when people sign up, or when an instance administrator requests it. */
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError } from '../../errors.ts';
import { emits } from '../../events.ts';
import { User } from '../../models/user.ts';
import { hashPassword } from '../../security/passwords.ts';
import { emitAccountFailure } from '../access/account-events.ts';
import { ownsAddress } from '../access/address-proof.ts';
import * as mails from '../mails/mail-queue.ts';
import { acceptInvitations, isAddressProof, isInvited } from '../team/accept-invitations.ts';
import { accountError, phoneTakenError } from './account-errors.ts';

/** The fields of a new account; `email` is in lower case, `password` in clear text. */
export interface NewAccount {
  email: string;
  password: string;
  firstname: string;
  lastname: string;
  phone?: string;
}

const alreadyTakenError = async ({ email }: NewAccount): Promise<AppError> =>
  (await User.exists({ email }))
    ? accountError(403, 'EMAIL_TAKEN', 'An account with this email already exists')
    : phoneTakenError();

const invitationUnknownError = () =>
  accountError(
    403,
    'INVITATION_INVALID',
    'The invitation is not for this email or has been withdrawn; ask for a new invitation',
  );

interface SignUpOptions {
  /** Whether to send a verification email. */
  mail: boolean;
  /** Whether an instance administrator creates the account and vouches for its address. */
  isVerifiedByAdmin: boolean;
  /** The secret from an invitation email; it verifies the address. */
  invitation?: string;
}

const isAddressVerified = async (email: string, { isVerifiedByAdmin, invitation }: SignUpOptions): Promise<boolean> => {
  if (invitation !== undefined && !(await isAddressProof(invitation, email))) throw invitationUnknownError();
  return isVerifiedByAdmin || invitation !== undefined;
};

/**
 * Throws 403 if the `SIGNUP` setting forbids the sign-up. `SIGNUP=invite` allows only invited addresses, which must
 * also be verified unless the invitation mode is `trusting` (see `ownsAddress`).
 */
const assertSignUpAllowed = async (email: string, isVerified: boolean): Promise<void> => {
  if (config.SIGNUP === 'open') return;
  if (config.SIGNUP === 'invite' && (await isInvited(email)) && ownsAddress({ emailverified: isVerified })) return;
  throw accountError(
    403,
    'SIGNUP_CLOSED',
    'Sign-up on this server is by invitation only; use the link in the invitation email',
  );
};

const createAccount = async (account: NewAccount & { _id: string }, options: SignUpOptions): Promise<void> => {
  const emailverified = await isAddressVerified(account.email, options);
  if (!options.isVerifiedByAdmin) await assertSignUpAllowed(account.email, emailverified);
  if (await User.exists({ email: account.email })) throw await alreadyTakenError(account); // before the costly hash
  const password = await hashPassword(account.password);
  const mail = { template: 'verify', to: account.email, values: {} } as const;
  let mailIds: string[] = [];
  const isCreated = await insertIfAbsent(() =>
    inTransaction(async (session) => {
      await User.create([{ ...account, password, emailverified }], { session, ...emits('user.signup') });
      mailIds = options.mail && !emailverified ? await mails.createMail(mail, session) : [];
    }),
  );
  if (!isCreated) throw await alreadyTakenError(account);
  await mails.enqueueMails(mailIds);
};

/**
 * Creates an account and returns its id. An account with a verified address becomes a member of every project that
 * invited it.
 * Errors: 403 for the email or phone number of another account, an invalid invitation, or a sign-up that the settings
 * forbid.
 */
export const signUp = async (account: NewAccount, options: SignUpOptions): Promise<string> => {
  const _id = newId();
  // A repeated call gets the same id and finds the account that an earlier attempt created.
  if (!(await User.exists({ _id })))
    await createAccount({ ...account, _id }, options).catch(async (error: unknown) => {
      if (error instanceof AppError) await emitAccountFailure('user.signup.error', account.email, error);
      throw error;
    });
  await acceptInvitations(account);
  return _id;
};
