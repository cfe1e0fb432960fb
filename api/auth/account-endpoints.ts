/** Account endpoints for callers who are not signed in: sign-up, address verification and password reset. */
import { z } from 'zod';
import { signUp } from '#shared/domain/accounts/accounts.ts';
import { verifyAddress } from '#shared/domain/accounts/address-verification.ts';
import * as passwords from '#shared/domain/accounts/passwords.ts';
import * as profiles from '#shared/domain/accounts/profiles.ts';
import { SignedInUserView, UserView } from '#shared/models/user.ts';
import { isInstanceAdmin } from '../http/auth/instance-admins.ts';
import { throttleAttempt } from '../http/auth/login-throttle.ts';
import { type Call, endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { Email, NewPassword, SignUpInput } from '../users/input.ts';

const Success = z.boolean();
const ResetReply = z.strictObject({ message: z.string(), user: SignedInUserView });

const ConfirmationInput = z.object({
  password: z
    .string()
    .max(INPUT_LIMITS.password)
    .optional()
    .meta({ description: "Password of the account; not required if the call has the account's token" }),
});

type ConfirmationCall = Pick<Call<unknown, unknown, z.infer<typeof ConfirmationInput>>, 'reauthorize' | 'body' | 'ip'>;

/**
 * Returns a function that checks whether the caller owns an account. It checks the token of the call first, then the
 * password.
 */
const createOwnerCheck =
  ({ reauthorize, body: { password }, ip }: ConfirmationCall, id: string) =>
  async (account: string): Promise<boolean> => {
    const actor = await reauthorize();
    if (actor.kind === 'user' && actor.id === id) return true;
    return Boolean(
      password && (await throttleAttempt({ account, ip }, () => passwords.findAccountByPassword(account, password))),
    );
  };

export default [
  endpoint({
    method: 'post',
    path: '/v3/auth/signup',
    role: 'none',
    limit: 'signin',
    summary:
      'Create an account. A verification email is sent unless `disableEmail` is true, an invitation verifies the address, or an instance administrator makes the call',
    body: SignUpInput,
    reply: z.strictObject({ success: Success, msg: z.string(), user: UserView }),
    errors: {
      403: 'The email address or phone number is taken, sign-up is restricted, or the invitation does not match',
    },
    handle: async ({ body: { disableEmail, invitation, ...account }, reauthorize }) => {
      const isMadeByInstanceAdmin = isInstanceAdmin(await reauthorize());
      const id = await signUp(account, {
        mail: !disableEmail,
        isVerifiedByAdmin: isMadeByInstanceAdmin,
        invitation,
      });
      return { success: true, msg: 'Successfully created new user.', user: await profiles.ownProfile(id) };
    },
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/verifyemail/:userid/:code',
    role: 'none',
    limit: 'signin',
    summary: "Verify the email address of an account with the code from the email and the account's password or token",
    body: ConfirmationInput,
    reply: UserView,
    errors: {
      401: 'The code is invalid (10005) or belongs to another account (10006), or the password or token is wrong',
    },
    handle: async ({ params: { userid, code }, body, ip, reauthorize }) => {
      await verifyAddress(userid, code, createOwnerCheck({ body, ip, reauthorize }, userid));
      return profiles.ownProfile(userid);
    },
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/requestresetpsw',
    role: 'none',
    limit: 'signin',
    summary: 'Send a password reset link by email. The reply does not reveal whether the account exists',
    body: z.object({ email: Email }),
    reply: z.strictObject({ success: Success, message: z.string() }),
    errors: { 429: 'Too many of these emails were requested within the last hour' },
    handle: async ({ body }) => {
      await passwords.requestPasswordReset(body.email);
      return { success: true, message: 'If an account with this address exists, an email has been sent to it' };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v3/auth/checkpswresetkey/:resetpswrequestid',
    role: 'none',
    limit: 'signin',
    summary: 'Check a password reset key and get the account that it belongs to',
    reply: ResetReply,
    handle: async ({ params }) => ({
      message: 'The key is valid',
      user: await profiles.signedInProfile(await passwords.findPasswordResetOwner(params.resetpswrequestid)),
    }),
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/resetpsw/:resetpswrequestid',
    role: 'none',
    limit: 'signin',
    summary:
      'Set a new password with the key from the email. This verifies the address and revokes all tokens of the account',
    body: z.object({ password: NewPassword }),
    reply: ResetReply,
    handle: async ({ params, body }) => ({
      message: 'Password changed',
      user: await profiles.signedInProfile(await passwords.resetPassword(params.resetpswrequestid, body.password)),
    }),
  }),
];
