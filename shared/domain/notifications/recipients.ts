/** Finds the people of a project to whom notifications are sent. */
import { Types } from 'mongoose';
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { ACTIVE_MEMBER, ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { findCachedProject } from '../access/cached-project.ts';
import { ADMIN_ROLES } from '../../wire/roles.ts';
import { isId } from '../../wire/view.ts';
import type { NotificationSettings } from './notification-settings.ts';

const MAX_RECIPIENTS = 1000;
const MEMBER_FIELDS = { id_project: 1, id_user: 1, role: 1, settings: 1 } as const;

/** The project on whose behalf an email is sent. */
export interface SenderProject {
  name: string;
  settings: NotificationSettings;
}

/** Finds the project on whose behalf an email is sent; null if it is closed or deleted. */
export const findSenderProject = (id_project: string): Promise<SenderProject | null> => findCachedProject(id_project);

/** A teammate as the recipient of an email. */
export interface Recipient {
  id: string;
  email: string;
  /** Whether the teammate has verified the address. */
  verified: boolean;
  settings: NotificationSettings;
}

/** Selects teammates by account ids, membership ids or roles. */
type RecipientSelector = { users: string[] } | { memberships: string[] } | { roles: readonly string[] };

const toObjectIds = (ids: string[]): Types.ObjectId[] => ids.filter(isId).map((id) => new Types.ObjectId(id));

/** Returns the filter for a selector. Ignores the ids of bots and visitors, which are not ObjectIds. */
const selectorFilter = (selector: RecipientSelector): object => {
  if ('roles' in selector) return { role: { $in: [...selector.roles] } };
  return 'users' in selector
    ? { id_user: { $in: toObjectIds(selector.users) } }
    : { _id: { $in: toObjectIds(selector.memberships) } };
};

/** A membership with its account; `accounts` is empty if the account was deleted. */
interface FoundMember {
  _id: Types.ObjectId;
  id_project: string;
  id_user?: Types.ObjectId;
  role: string;
  settings: NotificationSettings;
  accounts: { _id: Types.ObjectId; email: string; emailverified: boolean }[];
}

interface RecipientQuery {
  id_project: string;
  selector: RecipientSelector;
}

const matches = ({ id_project, selector }: RecipientQuery, member: FoundMember): boolean => {
  if (member.id_project !== id_project) return false;
  if ('roles' in selector) return selector.roles.includes(member.role);
  return 'users' in selector
    ? selector.users.includes(String(member.id_user))
    : selector.memberships.includes(String(member._id));
};

const toRecipients = ({ settings, accounts }: FoundMember): Recipient[] =>
  accounts.map(({ _id, email, emailverified: verified }) => ({ id: String(_id), email, verified, settings }));

/** Reads the recipients of several emails with one command. */
const readTogether = batchCalls(async (queries: RecipientQuery[]): Promise<Recipient[][]> => {
  const projects = { id_project: { $in: queries.map(({ id_project }) => id_project) } };
  const selected = queries.map(({ id_project, selector }) => ({ id_project, ...selectorFilter(selector) }));
  // Accounts are never read from a cache, because the verification of an address decides who receives emails.
  const found = await ProjectUser.aggregate<FoundMember>([
    { $match: { ...projects, roleType: TEAM_ROLE_TYPE, ...ACTIVE_MEMBER, $or: selected } },
    { $limit: MAX_RECIPIENTS * queries.length },
    { $lookup: { from: User.modelName, localField: 'id_user', foreignField: '_id', as: 'accounts' } },
    { $project: { ...MEMBER_FIELDS, 'accounts._id': 1, 'accounts.email': 1, 'accounts.emailverified': 1 } },
  ]);
  return queries.map((query) => found.filter((member) => matches(query, member)).flatMap(toRecipients));
});

/** Returns the selected active teammates, at most 1000. */
export const teammateRecipients = async (id_project: string, selector: RecipientSelector): Promise<Recipient[]> =>
  (await readTogether({ id_project, selector })).slice(0, MAX_RECIPIENTS);

/** Returns the owners and admins of the project whose addresses are verified. */
export const adminRecipients = async (id_project: string): Promise<Recipient[]> =>
  (await teammateRecipients(id_project, { roles: ADMIN_ROLES })).filter(({ verified }) => verified);

/** Returns whether the visitor with this membership is online. */
export const isVisitorOnline = async (id_project: string, membership?: string): Promise<boolean> =>
  Boolean(membership && (await ProjectUser.exists({ id_project, _id: membership, 'presence.status': 'online' })));
