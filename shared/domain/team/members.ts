/** Memberships as the API shows them: with the account, and with what is computed of their load. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { notFound } from '../../errors.ts';
import { Project } from '../../models/project.ts';
import {
  ChangedTeammateView,
  type OwnTeammateView,
  ProjectUser,
  type TeammateView,
  TEAM,
} from '../../models/project-user.ts';
import { User, UserView } from '../../models/user.ts';
import { fieldsOf, isId } from '../../view.ts';
import { wire } from '../../wire-profile.ts';

/** A membership as a change of it answers, as its own person sees it, and as it is read. */
export type Changed = z.input<typeof ChangedTeammateView>;
export type Own = z.input<typeof OwnTeammateView>;
export type Teammate = z.input<typeof TeammateView>;

interface Presence {
  status: 'online' | 'offline';
  changedAt: Date;
}

/** A membership as it is stored. */
export type Stored = Omit<Changed, 'id' | 'presence' | 'isAuthenticated'> & { presence?: Presence | null };

/** The fields of a membership that are shown. */
export const FIELDS = fieldsOf(ChangedTeammateView);

/** Lists that older memberships have not. */
const LISTS = { tags: [], permissions: [] };

/** A membership as a change of it answers. */
export const changed = (member: Stored): Changed => ({
  ...LISTS,
  ...member,
  id: member._id,
  presence: wire.presenceWithTime ? (member.presence ?? undefined) : (member.presence?.status ?? 'offline'),
  isAuthenticated: member.role !== 'guest',
});

interface Limits {
  chat_limit_on?: unknown;
  max_agent_assigned_chat?: unknown;
}

/** How many conversations a teammate may have: its own number, else the project's where limits are on. */
const mostOf = ({ chat_limit_on, max_agent_assigned_chat: most }: Limits, own: number): number => {
  if (own > 0) return own;
  return chat_limit_on && typeof most === 'number' && most > 0 ? most : Number.POSITIVE_INFINITY;
};

const isBusy = (limits: Limits, { max_assigned_chat, number_assigned_requests }: Stored): boolean =>
  number_assigned_requests >= mostOf(limits, max_assigned_chat ?? 0);

const limitsOf = async (projects: string[]): Promise<Map<string, Limits>> => {
  const found = await Project.find({ _id: { $in: projects } }, { settings: 1 }).lean();
  return new Map(found.map(({ _id, settings }) => [String(_id), (settings ?? {}) as Limits]));
};

type Account = z.input<typeof UserView>;

const accountsOf = async (members: Stored[]): Promise<Map<string, Account>> => {
  const ids = members.flatMap(({ id_user }) => (id_user ? [id_user] : []));
  const found = await User.find({ _id: { $in: ids } }, fieldsOf(UserView)).lean<Account[]>();
  return new Map(found.map((account) => [String(account._id), account]));
};

/** Memberships as they are read. */
const whole = async (members: Stored[]): Promise<Teammate[]> => {
  const projects = [...new Set(members.map(({ id_project }) => id_project))];
  const [limits, accounts] = await Promise.all([limitsOf(projects), accountsOf(members)]);
  return members.map((member) => ({
    ...changed(member),
    id_user: accounts.get(String(member.id_user)),
    isBusy: isBusy(limits.get(member.id_project) ?? {}, member),
  }));
};

/** Which memberships are wanted. */
export interface Wanted {
  trashed: boolean;
  /** Without any: the team, whatever its roles. */
  roles: string[];
  status?: 'active' | 'disabled';
  presence?: 'online' | 'offline';
}

interface Page {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** A page of the project's memberships (contract a 6.3). */
export const list = async (id_project: string, { trashed, roles, status, presence }: Wanted, page: Page) => {
  const filter = {
    id_project,
    ...(roles.length ? { role: { $in: roles } } : { roleType: TEAM }),
    ...(trashed ? {} : { trashed: false }),
    ...(status ? { status } : {}),
    ...(presence ? { 'presence.status': presence === 'online' ? presence : { $ne: 'online' as const } } : {}),
  };
  return whole(await ProjectUser.find(filter, FIELDS, page).lean<Stored[]>());
};

const missing = () => notFound('Project_user not found');

const find = async (id_project: string, which: { _id?: string; id_user?: string; uuid_user?: string }) => {
  const member = await ProjectUser.findOne({ id_project, ...which }, FIELDS).lean<Stored>();
  if (!member) throw missing();
  return member;
};

const one = async (member: Stored): Promise<Teammate> => (await whole([member]))[0] as Teammate;

/** A membership of the project; 404 for another's. */
export const read = async (id_project: string, _id: string): Promise<Teammate> => {
  if (!isId(_id)) throw missing();
  return one(await find(id_project, { _id }));
};

/** The membership of an account, or of a visitor by its own id, disabled and trashed ones too. */
export const readOf = async (id_project: string, user: string): Promise<Teammate> =>
  one(await find(id_project, isId(user) ? { id_user: user } : { uuid_user: user }));

/** Somebody's own membership; 404 for a program, which has none. */
export const own = async (id_project: string, _id: string): Promise<Own> => {
  if (!isId(_id)) throw missing();
  const member = await find(id_project, { _id });
  const limits = await limitsOf([id_project]);
  return { ...changed(member), isBusy: isBusy(limits.get(id_project) ?? {}, member) };
};

/** The id of the account with this e-mail; 404 when it is not in the team, whether there is one or not (decision 6). */
export const idByEmail = async (id_project: string, email: string): Promise<string> => {
  const user = await User.findOne({ email }, { _id: 1 }).lean();
  const member =
    user && (await ProjectUser.exists({ id_project, id_user: user._id, status: 'active', trashed: false }));
  if (!member) throw notFound('User not found');
  return String(user._id);
};

const NAMES = ['_id', 'firstname', 'lastname', 'email'] as const;

const namesOf = (account: Account) => Object.fromEntries(NAMES.map((name) => [name, account[name]]));

/** Memberships as events tell of them. */
export const told = async (members: Stored[]) =>
  (await whole(members)).map(({ id_user, ...member }) => ({
    ...member,
    ...(id_user ? { id_user: namesOf(id_user) } : {}),
  }));

/** Those of the memberships that are there, for whoever is told of them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; shown: object }[]> => {
  const options = { anyProject: true }; // the relay's: it knows by the record whose it is
  const found = await ProjectUser.find({ _id: { $in: keys } }, FIELDS, options).lean<Stored[]>();
  return (await told(found)).map((shown) => ({ key: String(shown._id), shown }));
};
