/** Sign-up and sign-in endpoints. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import { emitAccountFailure } from '#shared/domain/access/account-events.ts';
import { issueSessionToken } from '#shared/domain/access/sessions.ts';
import { signIn } from '#shared/domain/access/sign-in.ts';
import { findAccountByPassword } from '#shared/domain/accounts/passwords.ts';
import { signedInProfile } from '#shared/domain/accounts/profiles.ts';
import { createVisitor } from '#shared/domain/accounts/visitors.ts';
import { AppError } from '#shared/errors.ts';
import { SignedInUserView } from '#shared/models/user.ts';
import { throttleAttempt } from '../http/auth/login-throttle.ts';
import { countIssuedToken } from '../http/auth/count-calls.ts';
import { endpoint } from '../http/endpoint.ts';
import account from './account-endpoints.ts';
import { SignInInput, VisitorInput } from './input.ts';

const Success = z.boolean();
const Token = z.string().meta({ description: 'Value for the `Authorization` header, including the `JWT ` prefix' });

/** A visitor, who has no account: signing in stores the name and the email address only in the token. */
const VisitorView = z.strictObject({
  _id: z.uuid(),
  id: z.uuid(),
  firstname: z.string(),
  lastname: z.string().optional(),
  email: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  fullName: z.string(),
});

const wrongCredentials = async (email: string): Promise<AppError> => {
  const error = new AppError(401, 'WRONG_CREDENTIALS', 'Wrong email or password');
  await emitAccountFailure('user.signin.error', email, error);
  return error;
};

export default [
  ...account,
  endpoint({
    method: 'post',
    path: '/v3/auth/signin',
    role: 'none',
    limit: 'signin',
    summary: 'Sign in with an email address and a password',
    body: SignInInput,
    reply: z.strictObject({ success: Success, token: Token, user: SignedInUserView }),
    errors: { 401: 'Wrong email or password' },
    handle: async ({ body: { email, password }, ip, userAgent }) => {
      const user = await throttleAttempt({ account: email, ip }, () => findAccountByPassword(email, password));
      if (!user) throw await wrongCredentials(email);
      await countIssuedToken({ kind: 'user', id: String(user._id) });
      const token = await signIn(user, { ip, userAgent });
      return { success: true, token: `JWT ${token}`, user: await signedInProfile(String(user._id)) };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/auth/signinAnonymously',
    role: 'none',
    limit: 'signin',
    summary: 'Create a visitor of a project and sign the visitor in',
    body: VisitorInput,
    reply: z.strictObject({ success: Success, token: Token, user: VisitorView }),
    errors: { 401: 'The project blocks this IP address', 404: 'The project does not exist or is disabled' },
    handle: async ({ body: { id_project, ...profile }, ip, userAgent }) => {
      const user = await createVisitor(id_project, profile, ip);
      // The token omits the visitor's `attributes`, because it is sent in a header, which is limited to 16 KB.
      const { attributes, ...claims } = user;
      const options = { sub: 'guest', ttlSeconds: config.GUEST_TOKEN_TTL_SECONDS } as const;
      const token = await issueSessionToken(claims, options, { ip, userAgent });
      return { success: true, token: `JWT ${token}`, user: { ...claims, attributes } };
    },
  }),
];
