/** The requester of a new conversation: the lead profile and the membership of the person who opens it. */
import { AppError } from '../../../errors.ts';
import type { LeadProfile } from '../../leads/leads.ts';
import { type Actor, isTeam } from '../conversation.ts';
import type { SenderFields } from '../new-conversation.ts';
import { findPeople, type Person } from '../participant-profiles.ts';
import { findActiveMembership, findMembership, type Requester, requesterView } from '../requester-profiles.ts';

const findSender = async (id_project: string, sender: string) => {
  const member = await findActiveMembership(id_project, sender);
  if (!member) throw new AppError(403, 'UNKNOWN_SENDER', 'sender is not an active member of this project');
  return member;
};

/** The caller's own membership; if it has just been deleted, the fields that authentication has read of it. */
const ownRequester = async (id_project: string, { membership = '', role = '' }: Actor, person?: Person) => {
  const member = await findMembership(id_project, membership);
  return member ? requesterView(member, person) : { _id: membership, id_project, role };
};

const fullNameOf = ({ firstname, lastname }: { firstname?: string | null; lastname?: string | null }): string =>
  [firstname, lastname].filter(Boolean).join(' ');

/**
 * Whether an e-mail can be trusted: the account has verified it, a teammate or program gives it, or the integrator's
 * signed token contains it.
 */
const isTrusted = (
  email: string | undefined,
  actor: Actor,
  person?: { email: string; emailverified: boolean },
): boolean => {
  if (!email) return false;
  if (person && email === person.email) return person.emailverified;
  return isTeam(actor) || (actor.kind === 'userexternal' && email === actor.email);
};

interface ResolvedRequester {
  profile: LeadProfile;
  requester: Requester | { _id: string; id_project: string; role: string };
  /** Whether the requester is not the caller. */
  isOtherSender: boolean;
  /** The name of the requester's account, if it has one. */
  accountName?: string;
}

const contactDetails = (
  { senderFullname, email }: SenderFields,
  actor: Actor,
  { isCaller, person }: { isCaller: boolean; person?: Person },
) => {
  const phone = person?.phone ?? undefined;
  if (person && !isCaller) return { fullname: fullNameOf(person), email: person.email, phone };
  if (!isCaller) return { fullname: senderFullname, email };
  const known = { fullname: person ? fullNameOf(person) : actor.fullname, email: person?.email ?? actor.email };
  return { fullname: senderFullname ?? known.fullname, email: email ?? known.email, phone };
};

/**
 * Returns the requester of a conversation: `sender` if it is set, else the caller. Throws 403 if `sender` is not an
 * active member of the project; bots are not members.
 */
export const resolveRequester = async (
  id_project: string,
  named: SenderFields,
  actor: Actor,
): Promise<ResolvedRequester> => {
  const id = named.sender ?? actor.id;
  const isCaller = id === actor.id && actor.membership !== undefined;
  const [member, people] = await Promise.all([
    isCaller ? null : findSender(id_project, id),
    findPeople(id_project, [id]),
  ]);
  const person = people.get(id);
  const contact = contactDetails(named, actor, { isCaller, person });
  return {
    profile: { lead_id: id, ...contact, isTrusted: isTrusted(contact.email, actor, person) },
    requester: member ? requesterView(member, person) : await ownRequester(id_project, actor, person),
    isOtherSender: id !== actor.id,
    accountName: person && fullNameOf(person),
  };
};
