/** An account on its way: sign-up, the proof of its address, a forgotten password. */
import { z } from 'zod';
import * as accounts from '#shared/domain/access/accounts.ts';
import { withPassword } from '#shared/domain/access/people.ts';
import * as profiles from '#shared/domain/access/profiles.ts';
import { SignedInUserView, UserView } from '#shared/models/user.ts';
import { type Call, endpoint } from '../http/endpoint.ts';
import { guarded } from '../http/guesses.ts';
import { isOperator } from '../http/operators.ts';
import { LIMITS } from '../limits.ts';
import { Email, NewPassword, SignUpInput } from '../users/input.ts';

const Success = z.boolean();
const ResetUser = z.strictObject({ message: z.string(), user: SignedInUserView });

const Confirmation = z.object({
  password: z
    .string()
    .max(LIMITS.password)
    .optional()
    .meta({ description: 'Of the account; not needed with its token' }),
});

type Confirming = Pick<Call<unknown, unknown, z.infer<typeof Confirmation>>, 'admitted' | 'body' | 'ip'>;

/** Tells whether the caller holds an account: by its token, else by its password. */
const isOwnerBy =
  ({ admitted, body: { password }, ip }: Confirming, id: string) =>
  async (account: string): Promise<boolean> => {
    const actor = await admitted();
    if (actor.kind === 'user' && actor.id === id) return true;
    return Boolean(password && (await guarded({ account, ip }, () => withPassword(account, password))));
  };

export default [
  endpoint({
    method: 'post',
    path: '/v3/auth/signup',
    role: 'none',
    limit: 'signin',
    summary:
      'Make an account; it signs in afterwards, and is asked by mail to confirm its address, unless an operator makes it',
    body: SignUpInput,
    reply: z.strictObject({ success: Success, msg: z.string(), user: UserView }),
    errors: { 403: 'The e-mail or phone is taken, sign-up is not open here, or the invitation is not for this e-mail' },
    handle: async ({ body: { disableEmail, invitation, ...account }, admitted }) => {
      const vouched = isOperator(await admitted());
      const id = await accounts.signUp(account, { mail: !disableEmail, vouched, invitation });
      return { success: true, msg: 'Successfully created new user.', user: await profiles.read(id) };
    },
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/verifyemail/:userid/:code',
    role: 'none',
    limit: 'signin',
    summary:
      "Confirm the address of an account by the code that was sent there, which works once, and by the account's password or token",
    body: Confirmation,
    reply: UserView,
    errors: {
      401: 'The code is unknown, used, expired (10005) or for another account (10006), or neither password nor token is right',
    },
    handle: async ({ params: { userid, code }, body, ip, admitted }) => {
      await accounts.verify(userid, code, isOwnerBy({ body, ip, admitted }, userid));
      return profiles.read(userid);
    },
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/requestresetpsw',
    role: 'none',
    limit: 'signin',
    summary: 'Have a link sent that sets a new password; the answer does not tell whether there is such an account',
    body: z.object({ email: Email }),
    reply: z.strictObject({ success: Success, message: z.string() }),
    errors: { 429: 'Several were asked for within the hour' },
    handle: async ({ body }) => {
      await accounts.requestReset(body.email);
      return { success: true, message: 'If there is such an account, a mail is on its way' };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v3/auth/checkpswresetkey/:resetpswrequestid',
    role: 'none',
    limit: 'signin',
    summary: 'Whose password the key of a mail may still change',
    reply: ResetUser,
    handle: async ({ params }) => ({
      message: 'The key is in force',
      user: await profiles.signedIn(await accounts.resetBy(params.resetpswrequestid)),
    }),
  }),
  endpoint({
    method: 'put',
    path: '/v3/auth/resetpsw/:resetpswrequestid',
    role: 'none',
    limit: 'signin',
    summary:
      'Set a new password by the key of a mail, which works once and proves the address; whoever was signed in is signed out',
    body: z.object({ password: NewPassword }),
    reply: ResetUser,
    handle: async ({ params, body }) => ({
      message: 'Password changed',
      user: await profiles.signedIn(await accounts.resetPassword(params.resetpswrequestid, body.password)),
    }),
  }),
];
