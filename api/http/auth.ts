/** Credentials → actor, actor → membership (contract 5). */
import { createHash } from 'node:crypto';
import { nameOf } from '#shared/domain/access/access.ts';
import { withPassword } from '#shared/domain/access/people.ts';
import { byToken, person } from '#shared/domain/access/principals.ts';
import { AppError } from '#shared/errors.ts';
import { ACTIVE, Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { isId } from '#shared/view.ts';
import { type Actor, type MemberRole, nobody } from './actor.ts';
import { AccessCache } from './access-cache.ts';
import { unauthorized } from './errors.ts';

const tokens = new AccessCache<Actor>(10_000);
const basics = new AccessCache<Actor>(1_000);
const members = new AccessCache<{ role: MemberRole; membership: string }>(20_000);

/** Lets one guess at an account's password be made: null for a wrong one; throws once there were too many. */
export type Guess = <T>(account: string, attempt: () => Promise<T | null>) => Promise<T | null>;

const byPassword = async (encoded: string, guess: Guess): Promise<Actor> => {
  const key = createHash('sha256').update(encoded).digest('base64');
  const known = await basics.get(key);
  if (known) return known;
  const [email = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (!rest.length) throw new AppError(400, 'BAD_REQUEST', 'Basic credentials are base64 of email:password');
  const found = await basics.load(key, async () => {
    const user = await guess(email, () => withPassword(email, rest.join(':')));
    return user && person(user);
  });
  if (!found) throw unauthorized();
  return found;
};

const bySignature = async (token: string, isStrange: () => void): Promise<Actor> => {
  const known = await tokens.get(token);
  if (known) return known;
  isStrange();
  const found = await tokens.load(token, () => byToken(token));
  if (!found) throw unauthorized();
  return found;
};

/** Who sent this `Authorization` header: nobody without one, 401 for one that is not in force. `isStrange` may refuse a token before anything is read for it. */
export const authenticate = async (header: string, guess: Guess, isStrange = () => {}): Promise<Actor> => {
  if (!header) return nobody;
  const [scheme = '', credentials, ...more] = header.trim().split(' ');
  if (!credentials || more.length)
    throw new AppError(400, 'BAD_REQUEST', 'Authorization is "JWT <token>" or "Basic <credentials>"');
  if (scheme.toLowerCase() === 'basic') return byPassword(credentials, guess);
  if (scheme.toLowerCase() === 'jwt') return bySignature(credentials, isStrange);
  throw unauthorized();
};

interface Which {
  /** The role in a project that was closed counts too. */
  closedToo?: boolean;
}

const isThere = (project: string, { closedToo }: Which) =>
  isId(project) ? Project.exists({ _id: project, ...(closedToo ? {} : { status: ACTIVE }) }) : null;

const membershipOf = async (actor: Actor, project: string, which: Which) => {
  const who = actor.kind === 'user' ? { id_user: actor.id } : { uuid_user: actor.id };
  const [membership, inUse] = await Promise.all([
    ProjectUser.findOne({ id_project: project, ...who, status: 'active', trashed: false }, { role: 1 }).lean(),
    isThere(project, which),
  ]);
  if (!membership || !inUse) return null;
  const user = actor.id;
  const names = [nameOf({ user, project }), nameOf({ user }), nameOf({ project })];
  return { value: { role: membership.role as MemberRole, membership: String(membership._id) }, names };
};

/** The actor with its role in the project, or null for no member, an unknown or a disabled project. */
export const asMember = async (actor: Actor, project: string, which: Which = {}): Promise<Actor | null> => {
  // A project names its own users as it likes: after an account, too.
  const key = `${project} ${actor.kind} ${actor.id}`;
  const read = () => membershipOf(actor, project, which);
  const known = (await members.get(key)) ?? (which.closedToo ? (await read())?.value : await members.load(key, read));
  return known ? { ...actor, ...known } : null;
};
