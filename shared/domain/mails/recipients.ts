/** To whom of a project mails go. */
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { isId } from '../../view.ts';
import { peopleOf } from '../conversations/participating.ts';
import type { Settings } from './switches.ts';

const MOST = 1000;

/** A project as mails on its conversations know it. */
export interface Sender {
  name: string;
  settings: Settings;
}

/** The project, while it is in use. */
export const senderOf = (id_project: string): Promise<Sender | null> =>
  Project.findOne({ _id: id_project, status: ACTIVE }, { name: 1, 'settings.email': 1 }).lean<Sender>();

/** A teammate to be written to. */
export interface Recipient {
  id: string;
  email: string;
  /** The address was shown to be the teammate's own. */
  verified: boolean;
  settings: Settings;
}

/** Which teammates: by their users, memberships or roles. */
type Which = { users: string[] } | { memberships: string[] } | { roles: string[] };

/** Ids of bots and visitors, which are none of theirs, may be among them. */
const conditionOf = (which: Which): object => {
  if ('roles' in which) return { role: { $in: which.roles } };
  return 'users' in which
    ? { id_user: { $in: which.users.filter(isId) } }
    : { _id: { $in: which.memberships.filter(isId) } };
};

/** Those of the teammates who are active. */
export const teammates = async (id_project: string, which: Which): Promise<Recipient[]> => {
  const active = { id_project, roleType: TEAM, status: 'active', trashed: false } as const;
  const members = await ProjectUser.find({ ...active, ...conditionOf(which) }, { id_user: 1, settings: 1 })
    .limit(MOST)
    .lean();
  const people = await peopleOf(
    id_project,
    members.map(({ id_user }) => String(id_user)),
  );
  return members.flatMap(({ id_user, settings }) => {
    const id = String(id_user);
    const person = people.get(id);
    return person ? [{ id, email: person.email, verified: person.emailverified, settings }] : [];
  });
};

/** Those who lead the project, with an address that is their own. */
export const leaders = async (id_project: string): Promise<Recipient[]> =>
  (await teammates(id_project, { roles: ['owner', 'admin'] })).filter(({ verified }) => verified);

/** True for a visitor who is here right now. */
export const isOnline = async (id_project: string, membership?: string): Promise<boolean> =>
  Boolean(membership && (await ProjectUser.exists({ id_project, _id: membership, 'presence.status': 'online' })));
