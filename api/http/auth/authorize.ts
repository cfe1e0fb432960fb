/** The first steps of every endpoint: authentication, rate limits, access rules of the project, and roles. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { consume, consumeWithHeaders, rejectIfExhausted, takePace } from '../limits/rate-limit.ts';
import { notMember, roleTooLow, unauthorized } from '../response/errors.ts';
import { type Actor, actorKey, anonymous, hasRole } from './actor.ts';
import { type AttemptGuard, authenticate, resolveMember } from './authenticate.ts';
import { throttleAttempt } from './login-throttle.ts';
import { enforceAccessRules } from './enforce-access-rules.ts';

const isVisitor = ({ kind }: Actor): boolean => kind === 'guest' || kind === 'userexternal';

/** Counts a call against each pace that limits the caller; returns the milliseconds to wait, 0 for the team. */
const takePaces = (actor: Actor, network: string, count: number): number => {
  if (actor.kind === 'anonymous') return takePace('networkWithoutCredentials', network, count);
  if (!isVisitor(actor)) return 0;
  return Math.max(takePace('visitor', actorKey(actor), count), takePace('networkOfVisitors', network, count));
};

/**
 * Consumes points of the token and the principal and, for visitors, of their network; without credentials, of the
 * network only.
 */
const consumeRequestPoints = async (ctx: Context, actor: Actor, count: number): Promise<void> => {
  const network = clientNetwork(ctx.ip);
  if (actor.kind === 'anonymous') return consumeWithHeaders(ctx, { kind: 'normal', key: network }, count);
  const principal = actorKey(actor);
  await Promise.all([
    consumeWithHeaders(ctx, { kind: 'normal', key: `${principal}:${actor.jti ?? ''}` }, count),
    consume('principal', principal, count),
    isVisitor(actor) ? consume('visitors', network, count) : null,
  ]);
};

/** Consumes the points of a call, or of a part of it, and waits until the paces of the caller allow it. */
const consumePointsAndWait = async (ctx: Context, actor: Actor, count: number): Promise<void> => {
  await consumeRequestPoints(ctx, actor, count);
  const waitMs = takePaces(actor, clientNetwork(ctx.ip), count);
  if (waitMs > 0) await sleep(waitMs);
};

/**
 * Consumes points of the project's rate limit. Only calls of its own actors count, and visitors are counted separately,
 * so that neither outsiders nor visitors can use up the points of teammates, bots and subscriptions.
 */
export const countProjectPoints = async (actor: Actor, project: string, count = 1): Promise<void> => {
  if (!project || !(actor.role || actor.project === project)) return;
  await consume('project', isVisitor(actor) ? `${project}:visitors` : project, count);
};

/** The number of characters of a visitor's body, as JSON, that one point covers. */
const BODY_CHARACTERS_PER_POINT = 4096;

/**
 * Consumes the points of a visitor's body, so that neither imports nor long messages bypass the rate limits. A body
 * costs one point per list item or per 4,096 characters, whichever is more. The first point is not consumed here: the
 * call itself has consumed it. Throws 429 if too few points are left.
 */
export const countVisitorInput = async (
  ctx: Context,
  { actor, project }: { actor: Actor; project: string },
  body: unknown,
) => {
  if (!isVisitor(actor)) return;
  const items = Array.isArray(body) ? body.length : 1;
  const count = Math.max(items, Math.ceil(JSON.stringify(body).length / BODY_CHARACTERS_PER_POINT)) - 1;
  if (count < 1) return;
  await consumePointsAndWait(ctx, actor, count);
  await countProjectPoints(actor, project, count);
};

/** The number of characters of a response to a visitor or an anonymous caller that one point covers. */
const RESPONSE_CHARACTERS_PER_POINT = 65_536;

/**
 * Consumes the points of a long response to a visitor or an anonymous caller, one per 65,536 characters, of its network
 * and principal. Never throws 429, since the response is ready; if too few points are left, the next call is rejected.
 */
export const countVisitorOutput = async ({ ip }: Context, actor: Actor, characters: number): Promise<void> => {
  const count = Math.floor(characters / RESPONSE_CHARACTERS_PER_POINT);
  if (count < 1) return;
  const network = clientNetwork(ip);
  takePaces(actor, network, count);
  if (actor.kind === 'anonymous') await consume('normal', network, count).catch(rethrowUnlessLimited);
  if (!isVisitor(actor)) return;
  const consumed = [consume('visitors', network, count), consume('principal', actorKey(actor), count)];
  await Promise.all(consumed).catch(rethrowUnlessLimited);
};

const rethrowUnlessLimited = (error: unknown): void => {
  if (!(error instanceof AppError) || error.status !== 429) throw error;
};

/** Returns a guard that counts a password in Basic credentials as a sign-in attempt. */
const basicAttemptGuard =
  (ctx: Context): AttemptGuard =>
  async (account, attempt) => {
    await consumeWithHeaders(ctx, { kind: 'signin', key: clientNetwork(ctx.ip) });
    return throttleAttempt({ account, ip: ctx.ip }, attempt);
  };

/**
 * The rate limit key of calls with invalid credentials from a network. It differs from the key of anonymous calls, so
 * that invalid credentials do not use up the points that all anonymous callers of the network share.
 */
const refusedCredentialsKey = (ctx: Context): string => `refused:${clientNetwork(ctx.ip)}`;

/**
 * Authenticates a request and consumes its points. Invalid credentials (401) consume a point of the network. Throws
 * 400, 401 or 429.
 */
export const authenticateRequest = async (
  ctx: Context,
  { limit = 'normal', points = 1 }: Pick<Endpoint, 'limit' | 'points'> = {},
): Promise<Actor> => {
  if (limit === 'signin') {
    await consumeWithHeaders(ctx, { kind: limit, key: clientNetwork(ctx.ip) });
    return anonymous;
  }
  try {
    const rejectIfRefused = () => rejectIfExhausted(limit, refusedCredentialsKey(ctx));
    const actor = await authenticate(ctx.get('authorization'), basicAttemptGuard(ctx), rejectIfRefused);
    await consumePointsAndWait(ctx, actor, points);
    return actor;
  } catch (error) {
    if (error instanceof AppError && error.status === 401)
      await consumeWithHeaders(ctx, { kind: limit, key: refusedCredentialsKey(ctx) });
    throw error;
  }
};

/** Authenticates and authorizes a call again during a long response, without consuming a point. */
export const reauthorize = async (ctx: Context, endpoint: Endpoint, project: string): Promise<Actor> =>
  authorize(
    { actor: await authenticate(ctx.get('authorization'), basicAttemptGuard(ctx)), ip: ctx.ip },
    endpoint,
    project,
  );

interface AuthenticatedCaller {
  actor: Actor;
  ip: string;
}

/**
 * Returns the actor with its role in the project. Throws 401 for an anonymous caller or one that the access rules of
 * the project reject, 403 for one that is not a member or whose role is too low.
 */
export const authorize = async (
  { actor, ip }: AuthenticatedCaller,
  endpoint: Endpoint,
  project: string,
): Promise<Actor> => {
  await enforceAccessRules(endpoint.path, project, { ip, actor });
  return withProjectRole(actor, endpoint, project);
};

/** Whether another project, or a bot or subscription of it, signed the credentials: they are valid only there. */
const isOfOtherProject = ({ project: home }: Actor, { path }: Endpoint, project: string): boolean =>
  home !== undefined && home !== project && path.includes(':project_id');

/** Returns the membership of a caller that sends credentials to an endpoint that does not require them. */
const findMember = (actor: Actor, project: string): Promise<Actor | null> | null =>
  project && actor.kind === 'user' ? resolveMember(actor, project) : null;

/**
 * Returns the actor with its role in the project. Throws 401 for an anonymous actor, 403 for one that is not a member
 * or whose role is too low. If the path has no project, every role except `none` and `any` requires an account.
 */
const withProjectRole = async (actor: Actor, endpoint: Endpoint, project: string): Promise<Actor> => {
  const { role, path, bots, allowClosedProject } = endpoint;
  const isForeign = isOfOtherProject(actor, endpoint, project);
  if (role === 'none') return isForeign ? anonymous : ((await findMember(actor, project)) ?? actor);
  if (actor.kind === 'anonymous') throw unauthorized();
  if (isForeign) throw notMember();
  if (role === 'any') return actor;
  if (!path.includes(':project_id')) return actor.kind === 'user' ? actor : rejectRole();
  if (actor.kind === 'bot') return bots === true ? actor : rejectRole();
  if (actor.kind === 'subscription') return bots ? actor : rejectRole();
  const member = await resolveMember(actor, project, { allowClosedProject });
  if (!member) throw notMember();
  return hasRole(member.role, role) ? member : rejectRole();
};

const rejectRole = (): never => {
  throw roleTooLow();
};

/** Counts a token that is issued to a principal. Throws 429 above TOKEN_ISSUE_LIMIT_POINTS per minute. */
export const countIssuedToken = async (actor: Actor): Promise<void> => {
  await consume('issued', actorKey(actor));
};
