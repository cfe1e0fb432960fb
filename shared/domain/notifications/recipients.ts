/** Finds the people of a project to whom notifications are sent. */
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

/** Returns the filter of a selector. Ignores the ids of bots and visitors, which are not ObjectIds. */
const selectorFilter = (selector: RecipientSelector): object => {
  if ('roles' in selector) return { role: { $in: [...selector.roles] } };
  return 'users' in selector
    ? { id_user: { $in: selector.users.filter(isId) } }
    : { _id: { $in: selector.memberships.filter(isId) } };
};

/** Returns the selected active teammates, at most 1000. */
export const teammateRecipients = async (id_project: string, selector: RecipientSelector): Promise<Recipient[]> => {
  const active = { id_project, roleType: TEAM_ROLE_TYPE, ...ACTIVE_MEMBER };
  const members = await ProjectUser.find({ ...active, ...selectorFilter(selector) }, { id_user: 1, settings: 1 })
    .limit(MAX_RECIPIENTS)
    .lean();
  // Accounts are never read from a cache, because the verification of an address decides who receives e-mails.
  const ids = members.map(({ id_user }) => String(id_user));
  const accounts = await User.find({ _id: { $in: ids } }, { email: 1, emailverified: 1 }).lean();
  const people = new Map(accounts.map((account) => [String(account._id), account]));
  return members.flatMap(({ id_user, settings }) => {
    const id = String(id_user);
    const person = people.get(id);
    return person ? [{ id, email: person.email, verified: person.emailverified, settings }] : [];
  });
};

/** Returns the owners and admins of the project whose addresses are verified. */
export const adminRecipients = async (id_project: string): Promise<Recipient[]> =>
  (await teammateRecipients(id_project, { roles: ADMIN_ROLES })).filter(({ verified }) => verified);

/** Returns whether the visitor with this membership is online. */
export const isVisitorOnline = async (id_project: string, membership?: string): Promise<boolean> =>
  Boolean(membership && (await ProjectUser.exists({ id_project, _id: membership, 'presence.status': 'online' })));
