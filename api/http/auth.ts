/** Credentials → actor, actor → membership (contract 5). */
import { createHash } from 'node:crypto';
import { withPassword } from '#shared/domain/people.ts';
import { AppError } from '#shared/errors.ts';
import { ACTIVE, Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { Recent } from '#shared/recent.ts';
import { type Claims, verifyToken } from '#shared/tokens.ts';
import { isId } from '#shared/view.ts';
import { type Actor, type MemberRole, nobody } from './actor.ts';
import { unauthorized } from './errors.ts';

const MINUTE = 60_000;
const people = new Recent<Actor>({ ttlMs: MINUTE / 2, max: 10_000 });
const basics = new Recent<Actor>({ ttlMs: MINUTE, max: 1_000 });
const members = new Recent<{ role: MemberRole; membership: string }>({ ttlMs: MINUTE / 2, max: 20_000 });

interface Account {
  _id: unknown;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
}

const fullname = (firstname?: string | null, lastname?: string | null): string =>
  [firstname, lastname].filter(Boolean).join(' ');

const person = ({ _id, email, firstname, lastname }: Account): Actor => ({
  kind: 'user',
  id: String(_id),
  email,
  fullname: fullname(firstname, lastname),
});

const byToken = async (claims: Claims): Promise<Actor> => {
  if (claims.sub === 'guest') return { kind: 'guest', id: claims._id, fullname: claims.fullName, jti: claims.jti };
  const known = people.get(claims._id);
  if (known) return { ...known, jti: claims.jti };
  const user = isId(claims._id) ? await User.findOne({ _id: claims._id, status: ACTIVE }).lean() : null;
  if (!user) throw unauthorized();
  people.set(claims._id, person(user));
  return { ...person(user), jti: claims.jti };
};

/** Checks that a guess may still be made; the caller limits them by address. */
export type Guess = () => Promise<void>;

const byPassword = async (encoded: string, guess: Guess): Promise<Actor> => {
  const cacheKey = createHash('sha256').update(encoded).digest('base64');
  const known = basics.get(cacheKey);
  if (known) return known;
  const [email = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (!rest.length) throw new AppError(400, 'BAD_REQUEST', 'Basic credentials are base64 of email:password');
  await guess();
  const user = await withPassword(email, rest.join(':'));
  if (!user) throw unauthorized();
  basics.set(cacheKey, person(user));
  return person(user);
};

/** Who sent this `Authorization` header: nobody without one, 401 for one that is not in force. */
export const authenticate = async (header: string, guess: Guess): Promise<Actor> => {
  if (!header) return nobody;
  const [scheme = '', credentials, ...more] = header.trim().split(' ');
  if (!credentials || more.length)
    throw new AppError(400, 'BAD_REQUEST', 'Authorization is "JWT <token>" or "Basic <credentials>"');
  if (scheme.toLowerCase() === 'basic') return byPassword(credentials, guess);
  const claims = scheme.toLowerCase() === 'jwt' ? verifyToken(credentials) : null;
  if (!claims) throw unauthorized();
  return byToken(claims);
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
  return membership && inUse ? { role: membership.role as MemberRole, membership: String(membership._id) } : null;
};

/** The actor with its role in the project, or null for no member, an unknown or a disabled project. */
export const asMember = async (actor: Actor, project: string, which: Which = {}): Promise<Actor | null> => {
  const cacheKey = `${project}:${actor.id}`;
  const known = members.get(cacheKey);
  if (known) return { ...actor, ...known };
  const membership = await membershipOf(actor, project, which);
  if (!membership) return null;
  if (!which.closedToo) members.set(cacheKey, membership);
  return { ...actor, ...membership };
};
