/** Which conversations a caller sees, as a filter of MongoDB and for a conversation that has been read. */
import { type Actor, isTeam } from '#shared/domain/conversations/conversation.ts';

/** Whether an actor sees only the conversations it was eligible for and those it participates in. */
const isRestricted = ({ role }: Actor): boolean => role === 'agent';

/** Owners and admins see all conversations, an agent those it was eligible for and those it participates in. */
const teammateVisibility = (actor: Actor) =>
  isRestricted(actor) ? { $or: [{ 'agents.id_user': actor.id }, { participants: actor.id }] } : {};

/** Restricts a list to the conversations in which the caller is the visitor. */
export const ownConversationsFilter = ({ id }: Actor) => ({ 'snapshot.lead.lead_id': id });

/** Restricts a list to the conversations that the caller may see: a visitor sees only its own. */
export const visibilityFilter = (actor: Actor): object =>
  isTeam(actor) ? teammateVisibility(actor) : ownConversationsFilter(actor);

/** The people of a conversation, by the ids of their accounts. */
export interface ConversationPeople {
  agents: string[];
  participants: string[];
}

/** Whether a teammate or program sees a conversation; the same rule as `visibilityFilter`. */
export const isVisibleToTeam = (actor: Actor, { agents, participants }: ConversationPeople): boolean =>
  !isRestricted(actor) || agents.includes(actor.id) || participants.includes(actor.id);
