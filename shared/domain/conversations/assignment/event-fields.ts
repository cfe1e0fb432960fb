/** Fields of the events about participants: the actor and the source of a change. */
import type { ConversationUpdate, Actor } from '../conversation.ts';

/** The actor of assignments that the system starts itself. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system' };

/** The event `request.assigned` with its fields. */
export type AssignedEvent = Extract<ConversationUpdate['events'][number], readonly ['request.assigned', unknown]>;
type AssignedFields = AssignedEvent[1];

const ACTOR_TYPES: Record<string, AssignedFields['actor']['type']> = {
  bot: 'bot',
  subscription: 'system',
  system: 'system',
  trigger: 'system',
};

const SOURCES: Record<string, AssignedFields['source']> = {
  bot: 'chatbot',
  subscription: 'subscription',
  system: 'system',
  trigger: 'rules',
};

/** Returns the actor in the form that events contain. Subscriptions and triggers have the type `system`. */
export const eventActor = ({ kind, id, fullname }: Actor): AssignedFields['actor'] => ({
  type: ACTOR_TYPES[kind] ?? 'user',
  id,
  ...(fullname && { name: fullname }),
});

/** Returns the source of an actor's changes in the form that events contain: `api` for people. */
export const eventSource = ({ kind }: Actor): AssignedFields['source'] => SOURCES[kind] ?? 'api';
