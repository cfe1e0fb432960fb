/** Token endpoints: history, revocation, sign-in with tokens that projects sign, and realtime credentials. */
import { z } from 'zod';
import * as sessions from '#shared/domain/access/sessions.ts';
import { upsertExternalUser } from '#shared/domain/accounts/external-users.ts';
import { AppError } from '#shared/errors.ts';
import { TokenView } from '#shared/models/token.ts';
import { isId } from '#shared/wire/view.ts';
import { type Actor, resolveMember } from '../http/auth/authenticate.ts';
import { countIssuedToken } from '../http/auth/count-calls.ts';
import { endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import { notMember } from '../http/response/errors.ts';
import { realtimeCredentials } from './realtime-credentials.ts';

const TOKENS_PER_PAGE = 40;
const TokenHistoryQuery = pagingQuery(['createdAt', 'expiresAt', 'lastUsedAt'], TOKENS_PER_PAGE);

const missingToken = () => new AppError(422, 'INVALID', 'The Authorization header must contain a token: JWT <token>');

/**
 * Throws 422 for a token that is valid only in a project other than `id_project`. For a token without a project, throws
 * 403 if the caller has no active membership in `id_project`.
 */
const assertTokenOfProject = async (actor: Actor, id_project: string): Promise<void> => {
  if (actor.project === undefined) {
    if (!(await resolveMember(actor, id_project))) throw notMember();
  } else if (actor.project !== id_project)
    throw new AppError(422, 'INVALID', `id_project: the token was not signed by project ${id_project}`);
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/jwt/history',
    role: 'any',
    summary:
      'List the tokens of the caller and of the bots and subscriptions that the caller administers, newest first',
    query: TokenHistoryQuery,
    reply: z.strictObject({ perPage: z.number(), count: z.number(), history: z.array(TokenView) }),
    handle: ({ actor, query }) =>
      sessions.listTokens(actor, parsePage(query, { sortField: 'createdAt', limit: TOKENS_PER_PAGE })),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/jwt/history/id/:id',
    role: 'any',
    summary: 'Revoke a token by its record id. All processes reject it within one second',
    reply: TokenView,
    handle: ({ actor, params: { id } }) => sessions.revoke(actor, { _id: isId(id) ? id : '0'.repeat(24) }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/jwt/history/:jti',
    role: 'any',
    summary: 'Revoke a token by its `jti`. All processes reject it within one second',
    reply: TokenView,
    handle: ({ actor, params: { jti } }) => sessions.revoke(actor, { jti }),
  }),
  endpoint({
    method: 'post',
    path: '/v3/auth/signinWithCustomToken',
    role: 'any',
    summary:
      'Sign in a user of a project with a token that the project signed. A token that no project signed is returned unchanged',
    body: z.object({
      id_project: z.string().max(100).optional().meta({
        description: 'The project that signed the token; for a token that no project signed, a project of the caller',
      }),
    }),
    reply: z.strictObject({
      success: z.boolean(),
      token: z.string().meta({ description: 'The token of the call, with the `JWT ` prefix' }),
      user: z.looseObject({ _id: z.string() }),
    }),
    errors: {
      401: 'The user is disabled in this project',
      403: 'The token claims the role of a teammate, or the caller is not a member of `id_project`',
    },
    handle: async ({ actor, body: { id_project } }) => {
      if (!actor.token || !actor.claims) throw missingToken();
      if (id_project !== undefined) await assertTokenOfProject(actor, id_project);
      await countIssuedToken(actor);
      if (actor.project && actor.kind === 'userexternal') await upsertExternalUser(actor.project, actor.claims);
      return { success: true, token: `JWT ${actor.token}`, user: actor.claims };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/chat21/native/auth/createCustomToken',
    role: 'any',
    summary:
      'Get credentials for the realtime endpoint: the token of the call, or a new one after Basic authentication',
    reply: z.strictObject({
      userid: z.string(),
      fullname: z.string(),
      firstname: z.string(),
      lastname: z.string(),
      token: z.string(),
    }),
    handle: ({ actor, ip, userAgent }) => realtimeCredentials(actor, { ip, userAgent }),
  }),
];
