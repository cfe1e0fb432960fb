/**
 * Finds the principal of a token: the identity that a valid token establishes. Nothing is cached here; a caller that
 * caches principals must follow the access changes (see `access-changes.ts`).
 */
import { Bot } from '../../models/bot.ts';
import { INSTANCE } from '../../models/change.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { Subscription } from '../../models/subscription.ts';
import { Token } from '../../models/token.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { peekSigner, type TokenClaims, verifyToken, verifyWithSecret } from '../../security/tokens.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isId } from '../../wire/view.ts';
import { accessKey, type CacheEntry } from './access-changes.ts';
import * as projectKeys from './project-keys.ts';

/** The identity that valid credentials establish. `Actor` adds the role in the project of the call. */
export interface Principal {
  kind: 'user' | 'guest' | 'userexternal' | 'bot' | 'subscription';
  id: string;
  email?: string;
  /** Whether the account has verified its email address. */
  verified?: boolean;
  fullname?: string;
  jti?: string;
  /**
   * The one project in which the credentials are valid; absent for accounts and for guests (anonymous visitors), whose
   * access depends on their memberships.
   */
  project?: string;
  /** The token and its claims, if the credentials are a token. */
  token?: string;
  claims?: TokenClaims;
}

/** A principal as a cache entry: with the access changes that invalidate it and, in some cases, its expiry. */
export type CacheablePrincipal = CacheEntry<Principal>;

interface Account {
  _id: unknown;
  email: string;
  emailverified?: boolean | null;
  firstname?: string | null;
  lastname?: string | null;
}

const joinNames = (...names: unknown[]): string => names.filter(Boolean).join(' ');

/** Returns the principal of an account. */
export const principalOfUser = ({ _id, email, emailverified, firstname, lastname }: Account): CacheablePrincipal => {
  const id = String(_id);
  const verified = Boolean(emailverified);
  const value = { kind: 'user' as const, id, email, verified, fullname: joinNames(firstname, lastname) };
  return { value, accessKeys: [accessKey({ user: id })] };
};

/**
 * Returns the principal of the account that a token names; null if the account is closed, or if its password has
 * changed since the token was issued.
 */
const principalOfAccountClaims = async ({ _id, epoch = 0 }: TokenClaims): Promise<CacheablePrincipal | null> => {
  const user = isId(_id) ? await User.findOne({ _id, status: ACCOUNT_ACTIVE }).lean() : null;
  return user && (user.epoch ?? 0) === epoch ? principalOfUser(user) : null;
};

const principalOfGuestClaims = ({ _id, fullName }: TokenClaims): CacheablePrincipal => ({
  value: { kind: 'guest', id: _id, ...(typeof fullName === 'string' ? { fullname: fullName } : {}) },
  accessKeys: [accessKey({ user: _id })],
});

/** Precision of `lastUsedAt`, in milliseconds. */
const LAST_USED_PRECISION_MS = 300_000;

/**
 * Returns whether a token has not been revoked, and updates its `lastUsedAt`. A token that is not in the token
 * history is valid until it expires.
 */
const isTokenActive = async (jti: string): Promise<boolean> => {
  const record = await Token.findOne({ jti }, { revokedAt: 1, lastUsedAt: 1 }).lean();
  if (!record) return true;
  if (record.revokedAt) return false;
  const now = currentTimeMs();
  if ((record.lastUsedAt?.getTime() ?? 0) < now - LAST_USED_PRECISION_MS)
    await Token.updateOne({ jti }, { $set: { lastUsedAt: new Date(now) } });
  return true;
};

/** Returns the principal of a token that this instance has signed, for an account or a visitor. */
const principalOfPlatformToken = async (token: string): Promise<CacheablePrincipal | null> => {
  const claims = verifyToken(token);
  if (!claims?.jti) return null;
  const { sub, jti, exp = 0 } = claims;
  if (sub !== 'user' && sub !== 'guest') return null;
  const [principal, isActive] = await Promise.all([
    sub === 'user' ? principalOfAccountClaims(claims) : principalOfGuestClaims(claims),
    isTokenActive(jti),
  ]);
  if (!principal || !isActive) return null;
  return {
    value: { ...principal.value, jti, token, claims },
    expiresAtMs: exp * 1000,
    accessKeys: [...principal.accessKeys, accessKey({ jti })],
  };
};

/**
 * Returns whether an id could be mistaken for that of the system, a bot or an account. Participants are identified by
 * id alone, so an external user must not have such an id.
 */
const isReservedId = async (id: string): Promise<boolean> =>
  id === 'system' || id.startsWith('bot_') || (isId(id) && (await User.exists({ _id: id })) !== null);

const isActiveProject = (id_project: string) => Project.exists({ _id: id_project, status: PROJECT_ACTIVE });

const earliestEnd = (...ends: (number | undefined)[]): { expiresAtMs?: number } => {
  const known = ends.filter((end) => end !== undefined);
  return known.length ? { expiresAtMs: Math.min(...known) } : {};
};

const externalUserPrincipal = (project: string, token: string, claims: TokenClaims): Principal => {
  const { _id: id, email, firstname, lastname, jti } = claims;
  return {
    ...{ kind: 'userexternal', id, fullname: joinNames(firstname, lastname), project, token, claims },
    ...(typeof email === 'string' ? { email } : {}),
    ...(jti ? { jti } : {}),
  };
};

/**
 * Returns the principal of a token that a project's own system has signed for one of its users. The principal is valid
 * in that project only.
 */
const principalOfProjectToken = async (token: string, project: string): Promise<CacheablePrincipal | null> => {
  const [keys, isProjectActive] = await Promise.all([projectKeys.activeKeys(project), isActiveProject(project)]);
  for (const { secret, expiresAt } of isProjectActive ? keys : []) {
    const claims = verifyWithSecret(token, secret);
    if (!claims) continue;
    const { _id: user, sub, exp } = claims;
    if (sub !== 'userexternal' || (await isReservedId(user))) return null;
    const accessKeys = [accessKey({ user }), accessKey({ project })];
    return {
      value: externalUserPrincipal(project, token, claims),
      ...earliestEnd(exp && exp * 1000, expiresAt?.getTime()),
      accessKeys,
    };
  }
  return null;
};

/** A token names a bot or subscription but not its project, so these queries cover all projects. */
const anyProject = { anyProject: true };

const programReaders = {
  bots: async (_id: string) => {
    const bot = await Bot.findOne({ _id, trashed: false }, { secret: 1, id_project: 1, name: 1 }, anyProject).lean();
    return bot && { ...bot, kind: 'bot' as const };
  },
  subscriptions: async (_id: string) => {
    const ofProject = { _id, id_project: { $ne: INSTANCE } }; // a global subscription cannot act in any project
    const found = await Subscription.findOne(ofProject, { secret: 1, id_project: 1 }, anyProject).lean();
    return found && { ...found, kind: 'subscription' as const, name: undefined };
  },
};

/** Returns the principal of a token that is signed with the secret of a bot or subscription. */
const principalOfProgramToken = async (
  token: string,
  kind: keyof typeof programReaders,
  id: string,
): Promise<CacheablePrincipal | null> => {
  const program = await programReaders[kind](id);
  const claims = program?.secret ? verifyWithSecret(token, program.secret) : null;
  if (!program || claims?.sub !== program.kind || claims._id !== id) return null;
  const { jti, exp } = claims;
  const [isActive, isProjectActive] = await Promise.all([
    !jti || isTokenActive(jti),
    isActiveProject(program.id_project),
  ]);
  if (!isActive || !isProjectActive) return null;
  const value = {
    token,
    claims,
    kind: program.kind,
    id,
    project: program.id_project,
    ...(program.name ? { fullname: program.name } : {}),
  };
  const accessKeys = [
    accessKey({ user: id }),
    accessKey({ project: program.id_project }),
    ...(jti ? [accessKey({ jti })] : []),
  ];
  return { value: { ...value, ...(jti ? { jti } : {}) }, ...earliestEnd(exp && exp * 1000), accessKeys };
};

/**
 * Returns the principal of a token, or null if the token is invalid, expired or revoked. A token that a project has
 * signed itself cannot be revoked; the project can only replace its key.
 */
export const principalOfToken = async (token: string): Promise<CacheablePrincipal | null> => {
  const signer = peekSigner(token);
  if (!signer) return null;
  if (signer.kind === 'platform') return principalOfPlatformToken(token);
  return signer.kind === 'projects'
    ? principalOfProjectToken(token, signer.id)
    : principalOfProgramToken(token, signer.kind, signer.id);
};
