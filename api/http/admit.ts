/** Who asks, how often, and may they: the first steps of every endpoint. */
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { type Actor, callerOf, nobody, reaches } from './actor.ts';
import { networkOf } from './address.ts';
import { asMember, authenticate, type Guess } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { notMember, roleTooLow, unauthorized } from './errors.ts';
import { passGates } from './gates.ts';
import { guarded } from './guesses.ts';
import { count, mustHavePoints, spend } from './rate-limit.ts';

const isVisitor = ({ kind }: Actor): boolean => kind === 'guest' || kind === 'userexternal';

/** Count a call against the budgets of its token, its principal and, for a visitor, its network; without credentials of the network alone. */
const countCall = async (ctx: Context, actor: Actor): Promise<void> => {
  if (actor.kind === 'nobody') return count(ctx, 'normal', networkOf(ctx.ip));
  const principal = callerOf(actor);
  await Promise.all([
    count(ctx, 'normal', `${principal}:${actor.jti ?? ''}`),
    spend('principal', principal),
    isVisitor(actor) ? spend('visitors', networkOf(ctx.ip)) : null,
  ]);
};

/** Count a call against its project's budget. Strangers do not use it up, and visitors do not use up that of the team and the programs. */
export const countForProject = async (actor: Actor, project: string): Promise<void> => {
  if (!project || !(actor.role || actor.project === project)) return;
  await spend('project', isVisitor(actor) ? `${project}:visitors` : project);
};

/** Each item of a visitor's list counts as a call: an import is no way around the budgets. */
export const countItems = async (
  ctx: Context,
  { actor, project }: { actor: Actor; project: string },
  body: unknown,
) => {
  if (!isVisitor(actor) || !Array.isArray(body)) return;
  for (let item = 1; item < body.length; item += 1) {
    await countCall(ctx, actor);
    await countForProject(actor, project);
  }
};

/** A guess made by Basic: counted as one at sign-in. */
const guessFrom =
  (ctx: Context): Guess =>
  async (account, attempt) => {
    await count(ctx, 'signin', networkOf(ctx.ip));
    return guarded({ account, ip: ctx.ip }, attempt);
  };

/** What credentials that are not in force count against: apart from calls without any, which many may make from one network. */
const refusedFrom = (ctx: Context): string => `refused:${networkOf(ctx.ip)}`;

/** The actor of a call that is within its limit. Credentials that are not in force count against the address. */
export const identify = async (ctx: Context, limit: Endpoint['limit'] = 'normal'): Promise<Actor> => {
  if (limit === 'signin') {
    await count(ctx, limit, networkOf(ctx.ip));
    return nobody;
  }
  try {
    const isStrange = () => mustHavePoints(limit, refusedFrom(ctx));
    const actor = await authenticate(ctx.get('authorization'), guessFrom(ctx), isStrange);
    await countCall(ctx, actor);
    return actor;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) await count(ctx, limit, refusedFrom(ctx));
    throw error;
  }
};

/** Asked again in the course of one long answer: counted once, checked as ever. */
export const readmit = async (ctx: Context, endpoint: Endpoint, project: string): Promise<Actor> =>
  admit({ actor: await authenticate(ctx.get('authorization'), guessFrom(ctx)), ip: ctx.ip }, endpoint, project);

interface Caller {
  actor: Actor;
  ip: string;
}

/** The actor whom the project does not keep out, with the role it has here. */
export const admit = async ({ actor, ip }: Caller, endpoint: Endpoint, project: string): Promise<Actor> => {
  await passGates(endpoint.path, project, { ip, actor });
  return inRole(actor, endpoint, project);
};

/** The project vouches for its own users, bots and subscriptions in itself alone (decision 6). */
const isForeign = ({ project: own }: Actor, { path }: Endpoint, project: string): boolean =>
  own !== undefined && own !== project && path.includes(':project_id');

/** Where nobody needs credentials, a member who sends some is still told from a stranger (decision 7). */
const knownMember = (actor: Actor, project: string): Promise<Actor | null> | null =>
  project && actor.kind === 'user' ? asMember(actor, project) : null;

/**
 * The actor with the role it has here. Errors: 401 for nobody, 403 for no member or too low a role.
 * Where the path names no project, every role but `any` means: somebody with an account.
 */
const inRole = async (actor: Actor, endpoint: Endpoint, project: string): Promise<Actor> => {
  const { role, path, bots, closedToo } = endpoint;
  const foreign = isForeign(actor, endpoint, project);
  if (role === 'none') return foreign ? nobody : ((await knownMember(actor, project)) ?? actor);
  if (actor.kind === 'nobody') throw unauthorized();
  if (foreign) throw notMember();
  if (role === 'any') return actor;
  if (!path.includes(':project_id')) return actor.kind === 'user' ? actor : refuseRole();
  if (actor.kind === 'bot') return bots === true ? actor : refuseRole();
  if (actor.kind === 'subscription') return bots ? actor : refuseRole();
  const member = await asMember(actor, project, { closedToo });
  if (!member) throw notMember();
  return reaches(member.role, role) ? member : refuseRole();
};

const refuseRole = (): never => {
  throw roleTooLow();
};
