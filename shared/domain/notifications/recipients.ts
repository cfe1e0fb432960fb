/** Finds the people of a project to whom notifications are sent. */
import { Types } from 'mongoose';
import { ACTIVE_MEMBER, ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { findCachedProject } from '../access/cached-project.ts';
import { ADMIN_ROLES } from '../../wire/roles.ts';
import { isId } from '../../wire/view.ts';
import type { NotificationSettings } from './notification-settings.ts';

const MAX_RECIPIENTS = 1000;

/** The project that an e-mail is sent for. */
export interface SenderProject {
  name: string;
  settings: NotificationSettings;
}

/** Finds the project that an e-mail is sent for; null if it is closed or deleted. */
export const findSenderProject = (id_project: string): Promise<SenderProject | null> => findCachedProject(id_project);

/** A teammate as the recipient of an e-mail. */
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

/** Returns the filter of a selector. Ignores the ids of bots and visitors, which are not ObjectIds. */
const selectorFilter = (selector: RecipientSelector): object => {
  if ('roles' in selector) return { role: { $in: [...selector.roles] } };
  return 'users' in selector
    ? { id_user: { $in: toObjectIds(selector.users) } }
    : { _id: { $in: toObjectIds(selector.memberships) } };
};

/** A membership with its account; without the account if it was deleted. */
interface FoundMember {
  settings: NotificationSettings;
  accounts: { _id: Types.ObjectId; email: string; emailverified: boolean }[];
}

/** Returns the selected active teammates, at most 1000. */
export const teammateRecipients = async (id_project: string, selector: RecipientSelector): Promise<Recipient[]> => {
  const active = { id_project, roleType: TEAM_ROLE_TYPE, ...ACTIVE_MEMBER };
  // Accounts are never read from a cache, because the verification of an address decides who receives e-mails.
  const found = await ProjectUser.aggregate<FoundMember>([
    { $match: { ...active, ...selectorFilter(selector) } },
    { $limit: MAX_RECIPIENTS },
    { $lookup: { from: User.modelName, localField: 'id_user', foreignField: '_id', as: 'accounts' } },
    { $project: { settings: 1, 'accounts._id': 1, 'accounts.email': 1, 'accounts.emailverified': 1 } },
  ]);
  return found.flatMap(({ settings, accounts }) =>
    accounts.map(({ _id, email, emailverified: verified }) => ({ id: String(_id), email, verified, settings })),
  );
};

/** Returns the owners and admins of the project whose addresses are verified. */
export const adminRecipients = async (id_project: string): Promise<Recipient[]> =>
  (await teammateRecipients(id_project, { roles: ADMIN_ROLES })).filter(({ verified }) => verified);

/** Returns whether the visitor with this membership is online. */
export const isVisitorOnline = async (id_project: string, membership?: string): Promise<boolean> =>
  Boolean(membership && (await ProjectUser.exists({ id_project, _id: membership, 'presence.status': 'online' })));
