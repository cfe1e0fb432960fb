/** Accounts for those who have one (contract a 5.2). Fixed paths stand before others. */
import { z } from 'zod';
import * as accounts from '#shared/domain/access/accounts.ts';
import { close, erase } from '#shared/domain/access/account-removal.ts';
import { withPassword } from '#shared/domain/access/people.ts';
import * as profiles from '#shared/domain/access/profiles.ts';
import { AppError } from '#shared/errors.ts';
import { PublicUserView, SignedInUserView, UserView } from '#shared/models/user.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { guarded } from '../http/guesses.ts';
import { DesktopInput, PasswordInput, ProfileInput } from './input.ts';

const Success = z.boolean();
const Done = z.strictObject({ success: Success, message: z.string() });

export default [
  endpoint({
    method: 'get',
    path: '/v3/users',
    role: 'any',
    summary: "The caller's account; 404 for visitors, who have none",
    reply: SignedInUserView,
    handle: ({ actor }) => profiles.signedIn(actor.id),
  }),
  endpoint({
    method: 'put',
    path: '/v3/users',
    role: 'any',
    summary: "Change the caller's account; what is absent or null stays",
    body: ProfileInput,
    reply: z.strictObject({ success: Success, updatedUser: UserView }),
    errors: { 403: 'The phone number is that of another account' },
    handle: async ({ actor, body }) => ({
      success: true,
      updatedUser: await profiles.update(actor.id, given(body)),
    }),
  }),
  endpoint({
    method: 'put',
    path: '/v3/users/changepsw',
    role: 'any',
    summary: "Change the caller's password; every token issued before ends, this one too",
    body: PasswordInput,
    reply: z.strictObject({ message: z.string() }),
    errors: { 401: 'The old password is wrong', 403: 'The new password is the old one' },
    handle: async ({ actor, body, ip }) => {
      const { email } = await profiles.signedIn(actor.id);
      const known = await guarded({ account: email, ip }, () => withPassword(email, body.oldpsw));
      if (!known) throw new AppError(401, 'WRONG_PASSWORD', 'The old password is wrong');
      await accounts.changePassword(actor.id, { old: body.oldpsw, chosen: body.newpsw });
      return { message: 'Password changed; sign in again' };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v3/users/resendverifyemail',
    role: 'any',
    summary: "Have the mail sent again that confirms the caller's address",
    reply: Done,
    errors: { 429: 'Several were asked for within the hour' },
    handle: async ({ actor }) => {
      await accounts.remindToVerify(actor.id);
      return { success: true, message: 'The mail is on its way' };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/users/loginemail',
    role: 'any',
    summary: 'Have a link sent by which the caller goes on at another device, signed in',
    body: DesktopInput,
    reply: Done,
    errors: { 403: 'The address of the account is not confirmed', 429: 'Several were asked for within the hour' },
    handle: async ({ actor, body }) => {
      await accounts.goOnElsewhere(actor.id, body);
      return { success: true, message: 'The mail is on its way' };
    },
  }),
  endpoint({
    method: 'delete',
    path: '/v3/users',
    role: 'any',
    summary:
      "Close the caller's account for good: nothing in it tells any more whose it was. Projects close that no other active owner is left in",
    reply: z.strictObject({ success: Success, updatedUser: UserView }),
    handle: async ({ actor }) => ({ success: true, updatedUser: await close(actor.id) }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/users/physical',
    role: 'any',
    summary: "Close the caller's account and remove its record",
    reply: z.strictObject({
      success: Success,
      user: z.strictObject({ acknowledged: z.boolean(), deletedCount: z.number() }),
    }),
    handle: async ({ actor }) => ({ success: true, user: await erase(actor.id) }),
  }),
  endpoint({
    method: 'get',
    path: '/v3/users_util/:userid',
    role: 'none',
    summary: 'What anybody may know of an account',
    reply: PublicUserView,
    handle: ({ params }) => profiles.ofAnybody(params.userid),
  }),
];
