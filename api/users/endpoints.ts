/** Endpoints for the caller's own account. */
import { z } from 'zod';
import { closeAccount, deleteAccount } from '#shared/domain/accounts/account-removal.ts';
import { sendVerification } from '#shared/domain/accounts/address-verification.ts';
import { sendDeviceLink } from '#shared/domain/accounts/device-link.ts';
import { changePassword, findAccountByPassword } from '#shared/domain/accounts/passwords.ts';
import * as profiles from '#shared/domain/accounts/profiles.ts';
import { AppError } from '#shared/errors.ts';
import { PublicUserView, SignedInUserView, UserView } from '#shared/models/user.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { throttleAttempt } from '../http/auth/login-throttle.ts';
import { endpoint } from '../http/endpoint.ts';
import { DeviceLinkInput, PasswordInput, ProfileInput } from './input.ts';

const TOO_MANY_EMAILS = 'Too many of these emails were requested within the last hour';

const Success = z.boolean();
const MessageReply = z.strictObject({ success: Success, message: z.string() });

export default [
  endpoint({
    method: 'get',
    path: '/v3/users',
    role: 'any',
    summary: "Get the caller's account; 404 for visitors, who have no account",
    reply: SignedInUserView,
    handle: ({ actor }) => profiles.signedInProfile(actor.id),
  }),
  endpoint({
    method: 'put',
    path: '/v3/users',
    role: 'any',
    summary: "Update the caller's account; absent and null fields are unchanged",
    body: ProfileInput,
    reply: z.strictObject({ success: Success, updatedUser: UserView }),
    errors: { 403: 'The phone number belongs to another account' },
    handle: async ({ actor, body }) => ({
      success: true,
      updatedUser: await profiles.update(actor.id, omitNullish(body)),
    }),
  }),
  endpoint({
    method: 'put',
    path: '/v3/users/changepsw',
    role: 'any',
    summary: "Change the caller's password. All tokens issued so far are revoked, including the token of this call",
    body: PasswordInput,
    reply: z.strictObject({ message: z.string() }),
    errors: { 401: 'The old password is wrong', 403: 'The new password equals the old one' },
    handle: async ({ actor, body, ip }) => {
      const { email } = await profiles.signedInProfile(actor.id);
      const account = await throttleAttempt({ account: email, ip }, () => findAccountByPassword(email, body.oldpsw));
      if (!account) throw new AppError(401, 'WRONG_PASSWORD', 'The old password is wrong');
      await changePassword(actor.id, { oldPassword: body.oldpsw, newPassword: body.newpsw });
      return { message: 'Password changed; sign in again' };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v3/users/resendverifyemail',
    role: 'any',
    summary: "Resend the email that verifies the caller's address",
    reply: MessageReply,
    errors: { 429: TOO_MANY_EMAILS },
    handle: async ({ actor }) => {
      await sendVerification(actor.id);
      return { success: true, message: 'The email has been queued' };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/users/loginemail',
    role: 'any',
    summary: 'Email the caller a sign-in link for another device',
    body: DeviceLinkInput,
    reply: MessageReply,
    errors: { 403: 'The email address of the account is not verified', 429: TOO_MANY_EMAILS },
    handle: async ({ actor, body }) => {
      await sendDeviceLink(actor.id, body);
      return { success: true, message: 'The email has been queued' };
    },
  }),
  endpoint({
    method: 'delete',
    path: '/v3/users',
    role: 'any',
    summary:
      "Close the caller's account and erase its personal data. Projects without another active owner are disabled",
    reply: z.strictObject({ success: Success, updatedUser: UserView }),
    handle: async ({ actor }) => ({ success: true, updatedUser: await closeAccount(actor.id) }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/users/physical',
    role: 'any',
    summary: "Close the caller's account and delete its record",
    reply: z.strictObject({
      success: Success,
      user: z.strictObject({ acknowledged: z.boolean(), deletedCount: z.number() }),
    }),
    handle: async ({ actor }) => ({ success: true, user: await deleteAccount(actor.id) }),
  }),
  endpoint({
    method: 'get',
    path: '/v3/users_util/:userid',
    role: 'none',
    summary: 'Get the public profile of an account',
    reply: PublicUserView,
    handle: ({ params }) => profiles.publicProfile(params.userid),
  }),
];
