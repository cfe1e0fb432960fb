/** Sign-up and sign-in (contract a 3). */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import * as people from '#shared/domain/people.ts';
import { AppError } from '#shared/errors.ts';
import { SignedInUserView, User } from '#shared/models/user.ts';
import { issueToken } from '#shared/tokens.ts';
import { fieldsOf } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { SignInInput, SignUpInput, VisitorInput } from './input.ts';
import { SignedUpUserView, VisitorView } from './views.ts';

const Success = z.boolean();
const Token = z.string().meta({ description: 'Value of the `Authorization` header, `JWT ` included' });

const closed = () =>
  new AppError(403, 'SIGNUP_CLOSED', 'Sign-up is by invitation here').with({
    body: { message: 'Sign-up is by invitation here' },
  });

const wrongCredentials = () => new AppError(401, 'WRONG_CREDENTIALS', 'Wrong e-mail or password');

const account = <V extends z.ZodObject>(id: string, view: V) =>
  User.findOne({ _id: id }, fieldsOf(view)).orFail().lean<z.input<V>>();

export default [
  endpoint({
    method: 'post',
    path: '/v3/auth/signup',
    role: 'none',
    limit: 'signin',
    summary: 'Make an account; it signs in afterwards',
    body: SignUpInput,
    reply: z.strictObject({ success: Success, msg: z.string(), user: SignedUpUserView }),
    errors: { 403: 'The e-mail is taken, or sign-up is not open here' },
    handle: async ({ body }) => {
      if (config.SIGNUP !== 'open') throw closed();
      const user = await account(await people.signUp(body), SignedUpUserView);
      return { success: true, msg: 'Successfully created new user.', user };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/auth/signin',
    role: 'none',
    limit: 'signin',
    summary: 'Sign in with e-mail and password',
    body: SignInInput,
    reply: z.strictObject({ success: Success, token: Token, user: SignedInUserView }),
    errors: { 401: 'Wrong e-mail or password' },
    handle: async ({ body }) => {
      const known = await people.withPassword(body.email, body.password);
      if (!known) throw wrongCredentials();
      const user = await account(String(known._id), SignedInUserView);
      const token = issueToken('user', { ...user, _id: String(user._id) }, config.TOKEN_TTL);
      return { success: true, token: `JWT ${token}`, user };
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
    errors: { 404: 'No such project in use' },
    handle: async ({ body: { id_project, ...given } }) => {
      const user = await people.welcome(id_project, given);
      // Attributes stay out: a token travels in a header, which has room for 16 KB.
      const { attributes, ...claims } = user;
      const token = issueToken('guest', claims, config.GUEST_TOKEN_TTL);
      return { success: true, token: `JWT ${token}`, user: { ...claims, attributes } };
    },
  }),
];
