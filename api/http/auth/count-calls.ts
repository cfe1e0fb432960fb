/** Counts calls: consumes points of the rate limits that apply to a caller, and delays calls that come too fast. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { TtlCache } from '#shared/concurrency/ttl-cache.ts';
import { AppError } from '#shared/errors.ts';
import {
  clientNetwork,
  consume,
  consumeWithHeaders,
  type LimitKind,
  pointsPerMinute,
  WINDOW_SECONDS,
} from '../limits/rate-limit.ts';
import { type Actor, actorKey } from './authenticate.ts';

const MAX_PACED_KEYS = 20_000;

/** A rate of `points` per `seconds`; up to `burst` points can be used at once. */
interface Pace {
  points: number;
  seconds: number;
  burst: number;
}

/**
 * Returns a function that takes points of a key and returns the milliseconds that the caller must wait before it uses
 * them. Implements the generic cell rate algorithm, which keeps one number per key.
 *
 * Example: 1,200 points per minute with a burst of 60. A caller that has made no call for a while may use 60 points at
 * once. After that it gets 20 points per second (1,200 / 60), and its calls wait for their points.
 */
export const createPacer = ({ points, seconds, burst }: Pace, now = (): number => performance.now()) => {
  const msPerPoint = (seconds * 1000) / points;
  const burstMs = burst * msPerPoint;
  /** For each key, the time at which all of its points are available again, in milliseconds as `now` returns them. */
  const fullAt = new TtlCache<number>({ ttlMs: 2 * seconds * 1000, max: MAX_PACED_KEYS });
  return (key: string, count: number): number => {
    const nowMs = now();
    const end = Math.max(nowMs, fullAt.get(key) ?? 0) + count * msPerPoint;
    fullAt.set(key, end);
    return Math.max(0, end - burstMs - nowMs);
  };
};

/** The points that a visitor may use at once, and those that a network may use at once. */
const VISITOR_BURST = 30;
const NETWORK_BURST = 60;

const createLimitPacer = (kind: LimitKind, burst: number) =>
  createPacer({ points: pointsPerMinute(kind), seconds: WINDOW_SECONDS, burst });

/**
 * The paces of visitors and of callers without credentials; accounts, bots and subscriptions have none. Without a pace,
 * one of them could use the points of a minute within a second and delay the calls of all others. The comments name the
 * keys of each pace.
 */
const pacers = {
  // networks, for callers without credentials
  networkWithoutCredentials: createLimitPacer('token', NETWORK_BURST),
  // visitors, over all their tokens
  visitor: createLimitPacer('token', VISITOR_BURST),
  // networks, for all their visitors
  networkOfVisitors: createLimitPacer('visitors', NETWORK_BURST),
};

const isVisitor = ({ kind }: Actor): boolean => kind === 'guest' || kind === 'userexternal';

/** Takes points of each pace that limits the caller. Returns the milliseconds to wait: 0 for callers without a pace. */
const takePaces = (actor: Actor, network: string, count: number): number => {
  if (actor.kind === 'anonymous') return pacers.networkWithoutCredentials(network, count);
  if (!isVisitor(actor)) return 0;
  return Math.max(pacers.visitor(actorKey(actor), count), pacers.networkOfVisitors(network, count));
};

/** Returns a promise only if one of the results is a promise. */
const waitForAll = (results: unknown[]): undefined | Promise<unknown> =>
  results.some((result) => result instanceof Promise) ? Promise.all(results) : undefined;

const tokenKey = (actor: Actor): string => `${actorKey(actor)}:${actor.jti ?? ''}`;

/** Consumes points of the principal and, for a visitor, the network. A result may be a promise. */
const consumePrincipalPoints = (actor: Actor, network: string, count: number): unknown[] => [
  consume('principal', actorKey(actor), count),
  ...(isVisitor(actor) ? [consume('visitors', network, count)] : []),
];

/**
 * Consumes points of the token, the principal and, for a visitor, the network. For a caller without credentials,
 * consumes points of the network only.
 */
const consumeRequestPoints = (ctx: Context, actor: Actor, count: number): unknown => {
  const network = clientNetwork(ctx.ip);
  if (actor.kind === 'anonymous') return consumeWithHeaders(ctx, { kind: 'token', key: network }, count);
  return waitForAll([
    consumeWithHeaders(ctx, { kind: 'token', key: tokenKey(actor) }, count),
    ...consumePrincipalPoints(actor, network, count),
  ]);
};

/**
 * Consumes a point for a call on an open socket and waits until the paces of the caller allow the call. Sets no rate
 * limit headers, because the call has no HTTP response.
 */
export const countConnectedCall = async (actor: Actor, ip: string): Promise<void> => {
  const network = clientNetwork(ip);
  await waitForAll([consume('token', tokenKey(actor)), ...consumePrincipalPoints(actor, network, 1)]);
  const waitMs = takePaces(actor, network, 1);
  if (waitMs > 0) await sleep(waitMs);
};

/**
 * The calls that have arrived but whose points have not been consumed yet: they wait for MongoDB, which is read to
 * authenticate them, or for Redis, which counts them. While there are MAX_UNCOUNTED_CALLS of them, further calls are
 * refused (`middleware.ts`). Calls that wait for their pace, or for the hash of a password, do not count: a few callers
 * could otherwise cause the calls of all others to be refused.
 */
export const uncountedCalls = new Set<IncomingMessage>();
/** Below a third of MAX_PENDING_COUNTS in `rate-limit.ts`, because a call consumes points of up to three limits. */
export const MAX_UNCOUNTED_CALLS = 300;

/** Consumes a sign-in point of the caller's network. */
export const consumeSigninPoint = async (ctx: Context): Promise<void> => {
  await consumeWithHeaders(ctx, { kind: 'signin', key: clientNetwork(ctx.ip) });
  uncountedCalls.delete(ctx.req);
};

/** Consumes the points of a call, or of a part of it, and waits until the paces of the caller allow it. */
export const consumePointsAndWait = async (ctx: Context, actor: Actor, count: number): Promise<void> => {
  await consumeRequestPoints(ctx, actor, count);
  uncountedCalls.delete(ctx.req);
  const waitMs = takePaces(actor, clientNetwork(ctx.ip), count);
  if (waitMs > 0) await sleep(waitMs);
};

/**
 * Consumes points of the project's rate limit. Only calls of the project's members, bots and subscriptions count, and
 * visitors are counted separately. Therefore, neither outsiders nor visitors can use up the points of teammates, bots
 * and subscriptions.
 */
export const countProjectPoints = (actor: Actor, project: string, count = 1): unknown => {
  if (!project || !(actor.role || actor.project === project)) return undefined;
  return consume('project', isVisitor(actor) ? `${project}:visitors` : project, count);
};

/** One point covers this many characters of the body of a visitor's call, as JSON. */
const BODY_CHARACTERS_PER_POINT = 4096;

/**
 * Consumes the points for the body of a visitor's call, so that neither long lists nor long texts bypass the rate
 * limits. A body costs one point per list item or per 4,096 characters, whichever costs more. The first point is not
 * consumed here, because the call itself has consumed it. Throws 429 if too few points are left.
 */
export const countVisitorInput = (
  ctx: Context,
  { actor, project }: { actor: Actor; project: string },
  body: unknown,
): undefined | Promise<void> => {
  if (!isVisitor(actor)) return undefined;
  const items = Array.isArray(body) ? body.length : 1;
  const count = Math.max(items, Math.ceil(JSON.stringify(body).length / BODY_CHARACTERS_PER_POINT)) - 1;
  return count < 1 ? undefined : consumeInputPoints(ctx, { actor, project }, count);
};

const consumeInputPoints = async (
  ctx: Context,
  { actor, project }: { actor: Actor; project: string },
  count: number,
): Promise<void> => {
  await consumePointsAndWait(ctx, actor, count);
  await countProjectPoints(actor, project, count);
};

/** One point covers this many characters of a response to a visitor or an anonymous caller. */
const RESPONSE_CHARACTERS_PER_POINT = 65_536;

/**
 * Consumes points for a long response to a visitor or an anonymous caller: for each 65,536 characters, one point of the
 * network and, if the caller is a visitor, one of the principal. Never throws 429, because the response is ready; if
 * too few points are left, the next call is rejected.
 */
export const countVisitorOutput = (ctx: Context, actor: Actor, characters: number): undefined | Promise<void> => {
  const count = Math.floor(characters / RESPONSE_CHARACTERS_PER_POINT);
  return count < 1 ? undefined : consumeOutputPoints(clientNetwork(ctx.ip), actor, count);
};

const consumeOutputPoints = async (network: string, actor: Actor, count: number): Promise<void> => {
  takePaces(actor, network, count);
  if (actor.kind === 'anonymous') await consumeIfLeft('token', network, count);
  if (!isVisitor(actor)) return;
  await Promise.all([consumeIfLeft('visitors', network, count), consumeIfLeft('principal', actorKey(actor), count)]);
};

const consumeIfLeft = async (kind: LimitKind, key: string, count: number): Promise<void> => {
  try {
    await consume(kind, key, count);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
  }
};

/** Counts a token that is issued to a principal. Throws 429 after TOKEN_ISSUE_LIMIT_POINTS tokens within a minute. */
export const countIssuedToken = async (actor: Actor): Promise<void> => {
  await consume('issued', actorKey(actor));
};
