/** Who asks, how often, and may they: the first steps of every endpoint. */
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { type Actor, nobody, reaches } from './actor.ts';
import { asMember, authenticate } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { passGates } from './gates.ts';
import { notMember, roleTooLow, unauthorized } from './errors.ts';
import { count } from './rate-limit.ts';

/** Whose calls are counted together: a token's, a person's, else an address's (decision 29). */
const countedAs = (ctx: Context, { kind, id, jti = '' }: Actor): string =>
  kind === 'nobody' ? ctx.ip : `${id}:${jti}`;

/** The actor of a call that is within its limit. Credentials that are not in force count against the address. */
export const identify = async (ctx: Context, limit: Endpoint['limit'] = 'normal'): Promise<Actor> => {
  if (limit === 'signin') {
    await count(ctx, limit, ctx.ip);
    return nobody;
  }
  try {
    const actor = await authenticate(ctx.get('authorization'), () => count(ctx, 'signin', ctx.ip));
    await count(ctx, limit, countedAs(ctx, actor));
    return actor;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) await count(ctx, limit, ctx.ip);
    throw error;
  }
};

/** Asked again in the course of one long answer: counted once, checked as ever. */
export const readmit = async (ctx: Context, endpoint: Endpoint, project: string): Promise<Actor> =>
  admit({ actor: await authenticate(ctx.get('authorization'), async () => {}), ip: ctx.ip }, endpoint, project);

interface Caller {
  actor: Actor;
  ip: string;
}

/** The actor whom the project does not keep out, with the role it has here. */
export const admit = async ({ actor, ip }: Caller, endpoint: Endpoint, project: string): Promise<Actor> => {
  await passGates(endpoint.path, project, { ip, id: actor.id });
  return inRole(actor, endpoint, project);
};

/**
 * The actor with the role it has here. Errors: 401 for nobody, 403 for no member or too low a role.
 * Where the path names no project, every role but `any` means: somebody with an account.
 */
const inRole = async (actor: Actor, { role, path, closedToo }: Endpoint, project: string): Promise<Actor> => {
  if (role === 'none') return actor;
  if (actor.kind === 'nobody') throw unauthorized();
  if (role === 'any') return actor;
  if (!path.includes(':project_id')) {
    if (actor.kind !== 'user') throw roleTooLow();
    return actor;
  }
  const member = await asMember(actor, project, { closedToo });
  if (!member) throw notMember();
  if (!reaches(member.role, role)) throw roleTooLow();
  return member;
};
