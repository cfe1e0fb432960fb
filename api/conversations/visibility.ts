/**
 * Determines which conversations a caller sees in lists and on sockets, as a MongoDB filter and as a check of a loaded
 * conversation. By its id, every teammate can read every conversation.
 */
import { type Actor, isTeam } from '#shared/domain/conversations/conversation.ts';

/** Whether an actor sees only conversations that it was eligible for or participates in. */
const isRestricted = ({ role }: Actor): boolean => role === 'agent';

/** Agents see the conversations that they were eligible for or participate in; the rest of the team sees all. */
const teammateVisibility = (actor: Actor) =>
  isRestricted(actor) ? { $or: [{ 'agents.id_user': actor.id }, { participants: actor.id }] } : {};

/** Restricts a list to the conversations in which the caller is the visitor. */
export const ownConversationsFilter = ({ id }: Actor) => ({ 'snapshot.lead.lead_id': id });

/** Restricts a list to the conversations that the caller may see. A visitor sees only their own conversations. */
export const visibilityFilter = (actor: Actor): object =>
  isTeam(actor) ? teammateVisibility(actor) : ownConversationsFilter(actor);

/** The ids of the agents who were eligible for a conversation, and of its participants. */
export interface ConversationPeople {
  agents: string[];
  participants: string[];
}

/** Whether a teammate or program sees a conversation. Applies the same rule as `visibilityFilter`. */
export const isVisibleToTeam = (actor: Actor, { agents, participants }: ConversationPeople): boolean =>
  !isRestricted(actor) || agents.includes(actor.id) || participants.includes(actor.id);
