/** Tokens: their history, and those that projects sign for their own users (contract a 2.5, 3.6). */
import { z } from 'zod';
import { broughtIn } from '#shared/domain/access/own-users.ts';
import * as sessions from '#shared/domain/access/sessions.ts';
import { AppError } from '#shared/errors.ts';
import { TokenView } from '#shared/models/token.ts';
import { isId } from '#shared/view.ts';
import type { Actor } from '../http/actor.ts';
import { asMember } from '../http/auth.ts';
import { endpoint } from '../http/endpoint.ts';
import { notMember } from '../http/errors.ts';
import { countIssued } from '../http/issuing.ts';
import { paged, pageOf } from '../http/paging.ts';
import { credentialsOf } from './credentials.ts';

const PER_PAGE = 40;
const HISTORY = paged(['createdAt', 'expiresAt', 'lastUsedAt'], PER_PAGE);

const noToken = () => new AppError(422, 'INVALID', 'The Authorization header must be a token: JWT <token>');

/** 422 for the token of another project, 403 for a project in which the caller has no active membership. */
const mustBeOf = async (actor: Actor, id_project: string): Promise<void> => {
  if (actor.project === undefined) {
    if (!(await asMember(actor, id_project))) throw notMember();
  } else if (actor.project !== id_project)
    throw new AppError(422, 'INVALID', 'id_project: this project did not sign the token');
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/jwt/history',
    role: 'any',
    summary: "The caller's tokens, and those of the bots and subscriptions it administrates; the latest first",
    query: HISTORY,
    reply: z.strictObject({ perPage: z.number(), count: z.number(), history: z.array(TokenView) }),
    handle: ({ actor, query }) => sessions.history(actor, pageOf(query, { sortField: 'createdAt', limit: PER_PAGE })),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/jwt/history/id/:id',
    role: 'any',
    summary: 'Revoke a token by its record: within a second no process takes it',
    reply: TokenView,
    handle: ({ actor, params: { id } }) => sessions.revoke(actor, { _id: isId(id) ? id : '0'.repeat(24) }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/jwt/history/:jti',
    role: 'any',
    summary: 'Revoke a token by its `jti`: within a second no process takes it',
    reply: TokenView,
    handle: ({ actor, params: { jti } }) => sessions.revoke(actor, { jti }),
  }),
  endpoint({
    method: 'post',
    path: '/v3/auth/signinWithCustomToken',
    role: 'any',
    summary: 'Bring in a user of the project by a token that the project signed; any other token is answered as it is',
    body: z.object({
      id_project: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The project that signed the token; for another token, a project of the caller' }),
    }),
    reply: z.strictObject({
      success: z.boolean(),
      token: z.string().meta({ description: 'The token as it came, `JWT ` before it' }),
      user: z.looseObject({ _id: z.string() }),
    }),
    errors: {
      401: 'Disabled in this project',
      403: 'A project vouches for its users, not for teammates; or the caller is no member of `id_project`',
    },
    handle: async ({ actor, body: { id_project } }) => {
      if (!actor.token || !actor.claims) throw noToken();
      if (id_project !== undefined) await mustBeOf(actor, id_project);
      await countIssued(actor);
      if (actor.project && actor.kind === 'userexternal') await broughtIn(actor.project, actor.claims);
      return { success: true, token: `JWT ${actor.token}`, user: actor.claims };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/chat21/native/auth/createCustomToken',
    role: 'any',
    summary: 'Credentials for the realtime endpoint: the token in use, or a new one for who came by Basic',
    reply: z.strictObject({
      userid: z.string(),
      fullname: z.string(),
      firstname: z.string(),
      lastname: z.string(),
      token: z.string(),
    }),
    handle: ({ actor, ip, userAgent }) => credentialsOf(actor, { ip, userAgent }),
  }),
];
