/** Reads memberships in the forms that the API returns, with the account and `isBusy`. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { notFound } from '../../errors.ts';
import { Project } from '../../models/project.ts';
import {
  ACTIVE_MEMBER,
  type OwnTeammateView,
  ProjectUser,
  type StoredMembership,
  TEAM_ROLE_TYPE,
  TEAMMATE_FIELDS,
  type TeammateView,
  updateView,
} from '../../models/project-user.ts';
import { User, UserView } from '../../models/user.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { capacityOf, hasCapacity, type ProjectLimits, projectLimit } from './capacity.ts';

/** The caller's own membership. */
export type OwnTeammate = z.input<typeof OwnTeammateView>;
/** A membership with its account, as responses contain it. */
export type Teammate = z.input<typeof TeammateView>;

const isBusy = (limits: ProjectLimits | undefined, member: StoredMembership): boolean => {
  const { max_assigned_chat, number_assigned_requests: open } = member;
  return !hasCapacity({ open, capacity: capacityOf(max_assigned_chat, projectLimit(limits)) });
};

const limitsOf = async (projects: string[]): Promise<Map<string, ProjectLimits>> => {
  const found = await Project.find({ _id: { $in: projects } }, { settings: 1 }).lean();
  return new Map(found.map(({ _id, settings }) => [String(_id), (settings ?? {}) as ProjectLimits]));
};

type Account = z.input<typeof UserView>;

const accountsOf = async (members: StoredMembership[]): Promise<Map<string, Account>> => {
  const ids = members.flatMap(({ id_user }) => (id_user ? [id_user] : []));
  const found = await User.find({ _id: { $in: ids } }, projectionOf(UserView)).lean<Account[]>();
  return new Map(found.map((account) => [String(account._id), account]));
};

/** Converts stored memberships to `Teammate` records. */
const detailViews = async (members: StoredMembership[]): Promise<Teammate[]> => {
  const projects = [...new Set(members.map(({ id_project }) => id_project))];
  const [limits, accounts] = await Promise.all([limitsOf(projects), accountsOf(members)]);
  return members.map((member) => ({
    ...updateView(member),
    id_user: accounts.get(String(member.id_user)),
    isBusy: isBusy(limits.get(member.id_project), member),
  }));
};

/** The filter for a list of memberships. */
export interface MembershipFilter {
  /** Whether to include trashed memberships. */
  trashed: boolean;
  /** Only memberships with one of these roles; an empty list means all teammates. */
  roles: string[];
  status?: 'active' | 'disabled';
  presence?: 'online' | 'offline';
}

interface MembershipPage {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** Lists a page of the project's memberships. */
export const list = async (
  id_project: string,
  { trashed, roles, status, presence }: MembershipFilter,
  page: MembershipPage,
) => {
  const filter = {
    id_project,
    ...(roles.length ? { role: { $in: roles } } : { roleType: TEAM_ROLE_TYPE }),
    ...(trashed ? {} : { trashed: false }),
    ...(status ? { status } : {}),
    ...(presence ? { 'presence.status': presence === 'online' ? presence : { $ne: 'online' as const } } : {}),
  };
  return detailViews(await ProjectUser.find(filter, TEAMMATE_FIELDS, page).lean<StoredMembership[]>());
};

export const membershipNotFound = () => notFound('Project_user not found');

const findMembership = async (id_project: string, key: { _id?: string; id_user?: string; uuid_user?: string }) => {
  const member = await ProjectUser.findOne({ id_project, ...key }, TEAMMATE_FIELDS).lean<StoredMembership>();
  if (!member) throw membershipNotFound();
  return member;
};

const detailView = async (member: StoredMembership): Promise<Teammate> => (await detailViews([member]))[0] as Teammate;

/** Reads a membership by its id. Errors: 404 if the project does not have it. */
export const read = async (id_project: string, _id: string): Promise<Teammate> => {
  if (!isId(_id)) throw membershipNotFound();
  return detailView(await findMembership(id_project, { _id }));
};

/**
 * Reads a membership, even a disabled or trashed one, by the id of the account or visitor.
 * Errors: 404 for an unknown membership.
 */
export const readByUser = async (id_project: string, user: string): Promise<Teammate> =>
  detailView(await findMembership(id_project, isId(user) ? { id_user: user } : { uuid_user: user }));

/** Reads the caller's own membership. Errors: 404 for a bot or subscription, which has no membership. */
export const readOwn = async (id_project: string, _id: string): Promise<OwnTeammate> => {
  if (!isId(_id)) throw membershipNotFound();
  const member = await findMembership(id_project, { _id });
  const limits = await limitsOf([id_project]);
  return { ...updateView(member), isBusy: isBusy(limits.get(id_project), member) };
};

/**
 * Returns the id of the account of the active member with this email address.
 * Errors: 404 if no active member has the address; the error does not reveal whether an account has it.
 */
export const findUserIdByEmail = async (id_project: string, email: string): Promise<string> => {
  const user = await User.findOne({ email }, { _id: 1 }).lean();
  const member = user && (await ProjectUser.exists({ id_project, id_user: user._id, ...ACTIVE_MEMBER }));
  if (!member) throw notFound('User not found');
  return String(user._id);
};

const NAME_FIELDS = ['_id', 'firstname', 'lastname', 'email'] as const;

const namesOf = (account: Account) => Object.fromEntries(NAME_FIELDS.map((name) => [name, account[name]]));

/** Converts stored memberships to the form that events carry. */
export const eventViews = async (members: StoredMembership[]) =>
  (await detailViews(members)).map(({ id_user, ...member }) => ({
    ...member,
    ...(id_user ? { id_user: namesOf(id_user) } : {}),
  }));

/** Reads the memberships that still exist, in the form that events carry. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; view: object }[]> => {
  const options = { anyProject: true }; // the relay reads the records of all projects
  const found = await ProjectUser.find({ _id: { $in: keys } }, TEAMMATE_FIELDS, options).lean<StoredMembership[]>();
  return (await eventViews(found)).map((view) => ({ key: String(view._id), view }));
};

/** Reads the trashed memberships that still exist, in the form that `project_user.delete` carries. */
export const readTrashedForEvents = async (keys: (Types.ObjectId | string)[]) =>
  (await readForEvents(keys)).map(({ key, view }) => ({ key, view: { ...view, deleteType: 'soft' as const } }));
