/** Whose conversation it is: the lead, and the membership behind it (contract b 5.9). */
import { AppError } from '../../errors.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { readOne } from '../../read.ts';
import { isId } from '../../view.ts';
import type { Introduced } from './leads.ts';
import { peopleOf } from './participating.ts';
import { isTeam, type Speaker } from './requests.ts';

/** Who is said to write, and what is said of them. */
export interface Named {
  /** Whose conversation it is, if not the caller's: a user's id or a visitor's. */
  sender?: string;
  senderFullname?: string;
  email?: string;
}

const memberOf = async (id_project: string, sender: string) => {
  const who = isId(sender) ? { id_user: sender } : { uuid_user: sender };
  const active = { id_project, status: 'active' as const, trashed: false };
  const member = await readOne(ProjectUser, { ...active, ...who }, { _id: 1, role: 1 });
  if (!member) throw new AppError(403, 'UNKNOWN_SENDER', 'sender: no active member of the project');
  return { _id: String(member._id), role: member.role };
};

const ownMembership = ({ membership = '', role = '' }: Speaker) => ({ _id: membership, role });

const nameOf = ({ firstname, lastname }: { firstname?: string | null; lastname?: string | null }): string =>
  [firstname, lastname].filter(Boolean).join(' ');

/** True for an e-mail that a teammate or program gives, that an account has proved, or that the integrator's token holds. */
const isTrusted = (
  email: string | undefined,
  by: Speaker,
  person?: { email: string; emailverified: boolean },
): boolean => {
  if (!email) return false;
  if (person && email === person.email) return person.emailverified;
  return isTeam(by) || (by.kind === 'userexternal' && email === by.email);
};

/** A conversation's requester as it is copied into it. */
type Requester = { _id: string; role: string; id_project: string; uuid_user?: string; id_user?: object };

/** The author of a conversation: the sender, if one is named, else the caller. 403 for one who is no member, as bots are none. */
export const authorOf = async (
  id_project: string,
  { sender, senderFullname, email }: Named,
  by: Speaker,
): Promise<{ introduced: Introduced; requester: Requester }> => {
  const id = sender ?? by.id;
  const own = id === by.id && by.membership !== undefined;
  const member = own ? ownMembership(by) : await memberOf(id_project, id);
  const person = isId(id) ? (await peopleOf([id])).get(id) : undefined;
  const known = { fullname: person ? nameOf(person) : by.fullname, email: person?.email ?? by.email };
  const told = own
    ? { fullname: senderFullname ?? known.fullname, email: email ?? known.email }
    : { fullname: person ? known.fullname : senderFullname, email: person ? known.email : email };
  const introduced = { lead_id: id, ...told, isTrusted: isTrusted(told.email, by, person) };
  if (!person) return { introduced, requester: { ...member, id_project, uuid_user: id } };
  const { _id, firstname, lastname } = person;
  const id_user = { _id: String(_id), firstname, lastname, email: person.email };
  return { introduced, requester: { ...member, id_project, id_user } };
};
