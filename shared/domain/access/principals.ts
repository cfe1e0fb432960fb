/** Who a token stands for (contract a 2.2): everything is read afresh here; whoever keeps the answer follows `access.ts`. */
import { Bot } from '../../models/bot.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { Subscription } from '../../models/subscription.ts';
import { User } from '../../models/user.ts';
import { type Claims, checked, signerOf, verifyToken } from '../../tokens.ts';
import { isId } from '../../view.ts';
import { nameOf } from './access.ts';
import * as keys from './keys.ts';
import { isInForce } from './sessions.ts';

/** Somebody whose credentials are in force. */
export interface Principal {
  kind: 'user' | 'guest' | 'userexternal' | 'bot' | 'subscription';
  id: string;
  email?: string;
  /** The account has proved that its e-mail is its own. */
  verified?: boolean;
  fullname?: string;
  jti?: string;
  /** The one project in which the credentials are valid; absent for accounts and guests, whose memberships decide. */
  project?: string;
  /** The token in use, if it was one, and what it says. */
  token?: string;
  claims?: Claims;
}

/** A principal, how long it may be believed, and the names of the changes that end it. */
export interface Believable {
  value: Principal;
  /** In milliseconds; absent where nothing ends it by time. */
  until?: number;
  names: string[];
}

interface Account {
  _id: unknown;
  email: string;
  emailverified?: boolean | null;
  firstname?: string | null;
  lastname?: string | null;
}

const fullname = (...names: unknown[]): string => names.filter(Boolean).join(' ');

/** An account as a principal. */
export const person = ({ _id, email, emailverified, firstname, lastname }: Account): Believable => {
  const id = String(_id);
  const verified = Boolean(emailverified);
  const value = { kind: 'user' as const, id, email, verified, fullname: fullname(firstname, lastname) };
  return { value, names: [nameOf({ user: id })] };
};

/** The account of a token, unless it has another password by now. */
const accountOf = async ({ _id, epoch = 0 }: Claims): Promise<Believable | null> => {
  const user = isId(_id) ? await User.findOne({ _id, status: ACTIVE }).lean() : null;
  return user && (user.epoch ?? 0) === epoch ? person(user) : null;
};

const guestOf = ({ _id, fullName }: Claims): Believable => ({
  value: { kind: 'guest', id: _id, ...(typeof fullName === 'string' ? { fullname: fullName } : {}) },
  names: [nameOf({ user: _id })],
});

const byPlatform = async (token: string): Promise<Believable | null> => {
  const claims = verifyToken(token);
  if (!claims?.jti) return null;
  const { sub, jti, exp = 0 } = claims;
  if (sub !== 'user' && sub !== 'guest') return null;
  const [found, inForce] = await Promise.all([sub === 'user' ? accountOf(claims) : guestOf(claims), isInForce(jti)]);
  if (!found || !inForce) return null;
  return { value: { ...found.value, jti, token, claims }, until: exp * 1000, names: [...found.names, nameOf({ jti })] };
};

/** Ids that stand for somebody else where people are named by their ids alone. */
const isTaken = async (id: string): Promise<boolean> =>
  id === 'system' || id.startsWith('bot_') || (isId(id) && (await User.exists({ _id: id })) !== null);

const isInUse = (id_project: string) => Project.exists({ _id: id_project, status: ACTIVE });

const endOf = (...ends: (number | undefined)[]): { until?: number } => {
  const known = ends.filter((end) => end !== undefined);
  return known.length ? { until: Math.min(...known) } : {};
};

const ownUser = (project: string, token: string, claims: Claims): Principal => {
  const { _id: id, email, firstname, lastname, jti } = claims;
  return {
    ...{ kind: 'userexternal', id, fullname: fullname(firstname, lastname), project, token, claims },
    ...(typeof email === 'string' ? { email } : {}),
    ...(jti ? { jti } : {}),
  };
};

/** A project vouches for its own users alone, and in itself alone (contract a 13). */
const byProject = async (token: string, project: string): Promise<Believable | null> => {
  const [inForce, inUse] = await Promise.all([keys.inForce(project), isInUse(project)]);
  for (const { secret, expiresAt } of inUse ? inForce : []) {
    const claims = checked(token, secret);
    if (!claims) continue;
    const { _id: user, sub, exp } = claims;
    if (sub !== 'userexternal' || (await isTaken(user))) return null;
    const names = [nameOf({ user }), nameOf({ project })];
    return { value: ownUser(project, token, claims), ...endOf(exp && exp * 1000, expiresAt?.getTime()), names };
  }
  return null;
};

/** The border is looked for here: a token names its bot or subscription, and that its project. */
const anyProject = { anyProject: true };

const programs = {
  bots: async (_id: string) => {
    const bot = await Bot.findOne({ _id, trashed: false }, { secret: 1, id_project: 1, name: 1 }, anyProject).lean();
    return bot && { ...bot, kind: 'bot' as const };
  },
  subscriptions: async (_id: string) => {
    const found = await Subscription.findOne({ _id }, { secret: 1, id_project: 1 }, anyProject).lean();
    return found && { ...found, kind: 'subscription' as const, name: undefined };
  },
};

const byProgram = async (token: string, kind: keyof typeof programs, id: string): Promise<Believable | null> => {
  const program = await programs[kind](id);
  const claims = program?.secret ? checked(token, program.secret) : null;
  if (!program || claims?.sub !== program.kind || claims._id !== id) return null;
  const { jti, exp } = claims;
  const [inForce, inUse] = await Promise.all([!jti || isInForce(jti), isInUse(program.id_project)]);
  if (!inForce || !inUse) return null;
  const value = {
    token,
    claims,
    kind: program.kind,
    id,
    project: program.id_project,
    ...(program.name ? { fullname: program.name } : {}),
  };
  const names = [nameOf({ user: id }), nameOf({ project: program.id_project }), ...(jti ? [nameOf({ jti })] : [])];
  return { value: { ...value, ...(jti ? { jti } : {}) }, ...endOf(exp && exp * 1000), names };
};

/** Who a token stands for, or null for one that is not in force. */
export const byToken = async (token: string): Promise<Believable | null> => {
  const signer = signerOf(token);
  if (!signer) return null;
  if (signer.kind === 'platform') return byPlatform(token);
  return signer.kind === 'projects' ? byProject(token, signer.id) : byProgram(token, signer.kind, signer.id);
};
