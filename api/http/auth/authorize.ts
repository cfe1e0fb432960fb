/** The first steps of every endpoint: authentication, rate limits, access rules of the project, and roles. */
import type { Context } from 'koa';
import { assertProjectAccess } from '#shared/domain/access/cached-project.ts';
import { AppError } from '#shared/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { consumePointsAndWait, consumeSigninPoint } from './count-calls.ts';
import { clientNetwork, consumeWithHeaders, rejectIfExhausted } from '../limits/rate-limit.ts';
import { notMember, roleTooLow, unauthorized } from '../response/errors.ts';
import { type Actor, anonymous, type AttemptGuard, authenticate, hasRole, resolveMember } from './authenticate.ts';
import { requireInstanceAdmin } from './instance-admins.ts';
import { throttleAttempt } from './login-throttle.ts';
import { applyUrlCredentials } from './url-credentials.ts';

/** Returns a guard that counts a password in Basic credentials as a sign-in attempt. */
const basicAttemptGuard =
  (ctx: Context): AttemptGuard =>
  async (account, attempt) => {
    await consumeSigninPoint(ctx);
    return throttleAttempt({ account, ip: ctx.ip }, attempt);
  };

/**
 * The rate limit key for calls with invalid credentials from a network. It differs from the key for anonymous calls, so
 * that invalid credentials do not use up the points that all anonymous callers of the network share.
 */
const refusedCredentialsKey = (ctx: Context): string => `refused:${clientNetwork(ctx.ip)}`;

/** The part of an endpoint that authentication needs. */
type CountedEndpoint = Pick<Endpoint, 'limit' | 'points' | 'streams' | 'sockets'>;

/**
 * Authenticates a request and consumes its points. Invalid credentials (401) consume a point of the network. With the
 * limit `signin`, consumes a sign-in point of the network, ignores the credentials and returns `anonymous`. Throws 400,
 * 401 or 429.
 */
export const authenticateRequest = async (ctx: Context, endpoint: CountedEndpoint = {}): Promise<Actor> => {
  const { limit = 'token', points = 1, streams, sockets } = endpoint;
  if (limit === 'signin') {
    await consumeSigninPoint(ctx);
    return anonymous;
  }
  try {
    if (streams === 'only' || sockets) await applyUrlCredentials(ctx, { acceptsToken: sockets === true });
    const rejectIfRefusalsExhausted = () => rejectIfExhausted(limit, refusedCredentialsKey(ctx));
    const actor = await authenticate(ctx.get('authorization'), basicAttemptGuard(ctx), rejectIfRefusalsExhausted);
    await consumePointsAndWait(ctx, actor, points);
    return actor;
  } catch (error) {
    if (error instanceof AppError && error.status === 401)
      await consumeWithHeaders(ctx, { kind: limit, key: refusedCredentialsKey(ctx) });
    throw error;
  }
};

/**
 * Authenticates an instance administrator for a page. Throws 401 for a caller without credentials, so that its browser
 * prompts for them, and for invalid credentials; 403 for a caller that is not an instance administrator.
 */
export const authenticateInstanceAdmin = async (ctx: Context): Promise<Actor> => {
  const actor = await authenticateRequest(ctx);
  if (actor.kind === 'anonymous') throw unauthorized('Instance administrators');
  return requireInstanceAdmin(actor);
};

/**
 * Authenticates and authorizes a call again during a long response. Consumes no points, except a sign-in point for
 * Basic credentials that are not cached.
 */
export const reauthorize = async (ctx: Context, endpoint: Endpoint, project: string): Promise<Actor> =>
  authorize(
    { actor: await authenticate(ctx.get('authorization'), basicAttemptGuard(ctx)), ip: ctx.ip },
    endpoint,
    project,
  );

/**
 * The access rules of a project apply only to paths with this prefix, so that admins can always change the rules at
 * `/v3/projects/:project_id`.
 */
const PROJECT_PATH_PREFIX = '/v3/:project_id/';

const KINDS_EXEMPT_FROM_IP_BANS = ['user', 'bot', 'subscription'];

/** The part of an endpoint that authorization needs. */
type RestrictedEndpoint = Pick<Endpoint, 'path' | 'role' | 'programs' | 'allowDisabledProject'>;

interface AuthenticatedCaller {
  actor: Actor;
  ip: string;
}

/**
 * Returns the actor with its role in the project. Throws 401 for a caller that the access rules of the project reject,
 * and the errors of `withProjectRole`.
 */
export const authorize = async (
  { actor, ip }: AuthenticatedCaller,
  endpoint: RestrictedEndpoint,
  project: string,
): Promise<Actor> => {
  if (endpoint.path.startsWith(PROJECT_PATH_PREFIX))
    await assertProjectAccess(project, {
      ip,
      id: actor.id,
      isVisitor: !KINDS_EXEMPT_FROM_IP_BANS.includes(actor.kind),
    });
  return withProjectRole(actor, endpoint, project);
};

/** Whether the path has a project, and the credentials are valid only in another project (see `Principal.project`). */
const isOfOtherProject = ({ project: home }: Actor, { path }: RestrictedEndpoint, project: string): boolean =>
  home !== undefined && home !== project && path.includes(':project_id');

/**
 * Returns an account with its role in the project, for endpoints that require no credentials. Returns null for other
 * actors, for non-members, and if the path has no project.
 */
const findMember = (actor: Actor, project: string): Promise<Actor | null> | null =>
  project && actor.kind === 'user' ? resolveMember(actor, project) : null;

/**
 * Returns the actor with its role in the project. The role `none` accepts any actor; an actor of another project
 * becomes `anonymous`. Every other role throws 401 for an anonymous actor, and 403 for an actor of another project. The
 * role `any` requires nothing else, and `instance-admin` the account of an instance administrator. The roles of members
 * throw 403 for a program that `programs` does not name, for an actor that is not a member, and for a role that is too
 * low; if the path has no project, these roles only require an account.
 */
const withProjectRole = async (actor: Actor, endpoint: RestrictedEndpoint, project: string): Promise<Actor> => {
  const { role, path, programs, allowDisabledProject } = endpoint;
  const isForeign = isOfOtherProject(actor, endpoint, project);
  if (role === 'none') return isForeign ? anonymous : ((await findMember(actor, project)) ?? actor);
  if (actor.kind === 'anonymous') throw unauthorized();
  if (isForeign) throw notMember();
  if (role === 'any') return actor;
  if (role === 'instance-admin') return requireInstanceAdmin(actor);
  if (!path.includes(':project_id')) return actor.kind === 'user' ? actor : rejectRole();
  if (actor.kind === 'bot') return programs === 'all' ? actor : rejectRole();
  if (actor.kind === 'subscription') return programs ? actor : rejectRole();
  const member = await resolveMember(actor, project, { allowDisabledProject });
  if (!member) throw notMember();
  return hasRole(member.role, role) ? member : rejectRole();
};

const rejectRole = (): never => {
  throw roleTooLow();
};
