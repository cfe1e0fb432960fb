/** Resolves credentials to an actor, and an actor to its membership in a project. */
import { createHash } from 'node:crypto';
import { AccessCache, accessKey } from '#shared/domain/access/access-changes.ts';
import { findCachedProject } from '#shared/domain/access/cached-project.ts';
import { type Principal, principalOfToken, principalOfUser } from '#shared/domain/access/principals.ts';
import { findAccountByPassword } from '#shared/domain/accounts/passwords.ts';
import { AppError } from '#shared/errors.ts';
import { Project } from '#shared/models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '#shared/models/project-user.ts';
import { type MemberRole, roleRank } from '#shared/wire/roles.ts';
import { isId } from '#shared/wire/view.ts';
import { unauthorized } from '../response/errors.ts';

/** The minimum role in a project. `none` and `any` (see `EndpointDeclaration.role`) rank below the roles of members. */
export type ProjectRole = MemberRole | 'none' | 'any';

/** The minimum role of an endpoint. */
export type Role = ProjectRole | 'instance-admin';

/** An authenticated principal, or `anonymous` with an empty id. */
export interface Actor extends Omit<Principal, 'kind'> {
  kind: Principal['kind'] | 'anonymous';
  /** For members: the role in the project in the path, and the id of the membership. */
  role?: MemberRole;
  membership?: string;
}

export const anonymous: Actor = { kind: 'anonymous', id: '' };

/** A unique key of an actor. Includes the kind and the project, because projects choose the ids of their own users. */
export const actorKey = ({ kind, project = '', id }: Actor): string => `${kind}:${project}:${id}`;

/** Whether `role` is at least `minimum`. */
export const hasRole = (role: MemberRole | undefined, minimum: ProjectRole): boolean =>
  minimum === 'none' || minimum === 'any' || (role !== undefined && roleRank(role) >= roleRank(minimum));

const tokenCache = new AccessCache<Actor>(10_000);
const basicCredentialsCache = new AccessCache<Actor>(1_000);
const membershipCache = new AccessCache<{ role: MemberRole; membership: string }>(20_000);

/**
 * Runs one attempt to sign in with a password. Resolves to null if the password is wrong; throws 429 after too many
 * wrong ones.
 */
export type AttemptGuard = <T>(account: string, attempt: () => Promise<T | null>) => Promise<T | null>;

const authenticateByPassword = async (encoded: string, guardAttempt: AttemptGuard): Promise<Actor> => {
  const key = createHash('sha256').update(encoded).digest('base64');
  const cached = await basicCredentialsCache.get(key);
  if (cached) return cached;
  const [email = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (!rest.length)
    throw new AppError(400, 'BAD_REQUEST', 'Basic credentials must be the base64 encoding of email:password');
  const actor = await basicCredentialsCache.load(key, async () => {
    const user = await guardAttempt(email, () => findAccountByPassword(email, rest.join(':')));
    return user && principalOfUser(user);
  });
  if (!actor) throw unauthorized();
  return actor;
};

const authenticateByToken = async (token: string, beforeVerify: () => void): Promise<Actor> => {
  const cached = await tokenCache.get(token);
  if (cached) return cached;
  beforeVerify();
  const actor = await tokenCache.load(token, () => principalOfToken(token));
  if (!actor) throw unauthorized();
  return actor;
};

/**
 * Returns the actor of an `Authorization` header, or `anonymous` if the header is empty. Throws 400 for a malformed
 * header, 401 for invalid credentials. `beforeVerify` runs before the verification of an uncached token, and may throw.
 */
export const authenticate = async (
  header: string,
  guardAttempt: AttemptGuard,
  beforeVerify = () => {},
): Promise<Actor> => {
  if (!header) return anonymous;
  const [scheme = '', credentials, ...more] = header.trim().split(' ');
  if (!credentials || more.length)
    throw new AppError(400, 'BAD_REQUEST', 'Authorization must be "JWT <token>" or "Basic <credentials>"');
  if (scheme.toLowerCase() === 'basic') return authenticateByPassword(credentials, guardAttempt);
  if (scheme.toLowerCase() === 'jwt') return authenticateByToken(credentials, beforeVerify);
  throw unauthorized();
};

interface MembershipOptions {
  /** Whether memberships in disabled projects are resolved, too. */
  allowDisabledProject?: boolean;
}

const projectExists = (project: string, { allowDisabledProject }: MembershipOptions) => {
  if (!allowDisabledProject) return findCachedProject(project);
  return isId(project) ? Project.exists({ _id: project }) : null;
};

const loadMembership = async (actor: Actor, project: string, options: MembershipOptions) => {
  const userFilter = actor.kind === 'user' ? { id_user: actor.id } : { uuid_user: actor.id };
  const [membership, isActiveProject] = await Promise.all([
    ProjectUser.findOne({ id_project: project, ...userFilter, ...ACTIVE_MEMBER }, { role: 1 }).lean(),
    projectExists(project, options),
  ]);
  if (!membership || !isActiveProject) return null;
  const user = actor.id;
  const accessKeys = [accessKey({ user, project }), accessKey({ user }), accessKey({ project })];
  return { value: { role: membership.role as MemberRole, membership: String(membership._id) }, accessKeys };
};

/**
 * Returns the actor with its role in the project. Returns null for a non-member, for an unknown project and, without
 * `allowDisabledProject`, for a disabled project.
 */
export const resolveMember = async (
  actor: Actor,
  project: string,
  options: MembershipOptions = {},
): Promise<Actor | null> => {
  // The kind is part of the key: a project may give one of its own users the id of an account.
  const key = `${project} ${actor.kind} ${actor.id}`;
  const loadEntry = () => loadMembership(actor, project, options);
  const membership =
    (await membershipCache.get(key)) ??
    (options.allowDisabledProject ? (await loadEntry())?.value : await membershipCache.load(key, loadEntry));
  return membership ? { ...actor, ...membership } : null;
};
