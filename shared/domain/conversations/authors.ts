/** Whose conversation it is: the lead, and the membership behind it. */
import { AppError } from '../../errors.ts';
import type { Introduced } from './leads.ts';
import { peopleOf, type Person } from './participating.ts';
import { isTeam, type Speaker } from './requests.ts';
import { activeMember, memberOf, type Requester, shown } from './requesters.ts';

/** The name of somebody of whom no name is known. */
export const UNNAMED = 'Guest';

/** Who is said to write, and what is said of them. */
export interface Named {
  /** Whose conversation it is, if not the caller's: a user's id or a visitor's. */
  sender?: string;
  senderFullname?: string;
  email?: string;
}

const senderOf = async (id_project: string, sender: string) => {
  const member = await activeMember(id_project, sender);
  if (!member) throw new AppError(403, 'UNKNOWN_SENDER', 'sender: no active member of the project');
  return member;
};

/** The caller's own membership; what access knows of it where it was removed just now. */
const ownRequester = async (id_project: string, { membership = '', role = '' }: Speaker, person?: Person) => {
  const member = await memberOf(id_project, membership);
  return member ? shown(member, person) : { _id: membership, id_project, role };
};

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

interface Author {
  introduced: Introduced;
  requester: Requester | { _id: string; id_project: string; role: string };
  /** True for somebody else than the caller. */
  isNamed: boolean;
  /** The name of the account. */
  accountName?: string;
}

const toldOf = ({ senderFullname, email }: Named, by: Speaker, { own, person }: { own: boolean; person?: Person }) => {
  const phone = person?.phone ?? undefined;
  if (person && !own) return { fullname: nameOf(person), email: person.email, phone };
  if (!own) return { fullname: senderFullname, email };
  const known = { fullname: person ? nameOf(person) : by.fullname, email: person?.email ?? by.email };
  return { fullname: senderFullname ?? known.fullname, email: email ?? known.email, phone };
};

/** The author of a conversation: the sender, if one is named, else the caller. 403 for one who is no member, as bots are none. */
export const authorOf = async (id_project: string, named: Named, by: Speaker): Promise<Author> => {
  const id = named.sender ?? by.id;
  const own = id === by.id && by.membership !== undefined;
  const [member, people] = await Promise.all([own ? null : senderOf(id_project, id), peopleOf(id_project, [id])]);
  const person = people.get(id);
  const told = toldOf(named, by, { own, person });
  return {
    introduced: { lead_id: id, ...told, isTrusted: isTrusted(told.email, by, person) },
    requester: member ? shown(member, person) : await ownRequester(id_project, by, person),
    isNamed: id !== by.id,
    accountName: person && nameOf(person),
  };
};
