/** Sign-up and sign-in (contract a 3). */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import * as people from '#shared/domain/access/people.ts';
import { signedIn } from '#shared/domain/access/profiles.ts';
import { begin, claimsOf } from '#shared/domain/access/sessions.ts';
import { AppError } from '#shared/errors.ts';
import { SignedInUserView } from '#shared/models/user.ts';
import { endpoint } from '../http/endpoint.ts';
import { guarded } from '../http/guesses.ts';
import { countIssued } from '../http/issuing.ts';
import account from './account.ts';
import { SignInInput, VisitorInput } from './input.ts';
import { VisitorView } from './views.ts';

const Success = z.boolean();
const Token = z.string().meta({ description: 'Value of the `Authorization` header, `JWT ` included' });

const wrongCredentials = () => new AppError(401, 'WRONG_CREDENTIALS', 'Wrong e-mail or password');

export default [
  ...account,
  endpoint({
    method: 'post',
    path: '/v3/auth/signin',
    role: 'none',
    limit: 'signin',
    summary: 'Sign in with e-mail and password',
    body: SignInInput,
    reply: z.strictObject({ success: Success, token: Token, user: SignedInUserView }),
    errors: { 401: 'Wrong e-mail or password' },
    handle: async ({ body: { email, password }, ip, userAgent }) => {
      const known = await guarded({ account: email, ip }, () => people.withPassword(email, password));
      if (!known) throw wrongCredentials();
      await countIssued({ kind: 'user', id: String(known._id) });
      const token = await begin(claimsOf(known), { sub: 'user', ttl: config.TOKEN_TTL }, { ip, userAgent });
      return { success: true, token: `JWT ${token}`, user: await signedIn(String(known._id)) };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/auth/signinAnonymously',
    role: 'none',
    limit: 'signin',
    summary: 'Sign in as a new visitor of a project',
    body: VisitorInput,
    reply: z.strictObject({ success: Success, token: Token, user: VisitorView }),
    errors: { 401: 'The project keeps this address out', 404: 'No such project in use' },
    handle: async ({ body: { id_project, ...given }, ip, userAgent }) => {
      const user = await people.welcome(id_project, given, ip);
      // Attributes stay out: a token travels in a header, which has room for 16 KB.
      const { attributes, ...claims } = user;
      const token = await begin(claims, { sub: 'guest', ttl: config.GUEST_TOKEN_TTL }, { ip, userAgent });
      return { success: true, token: `JWT ${token}`, user: { ...claims, attributes } };
    },
  }),
];
