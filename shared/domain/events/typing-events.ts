/** Adds the conversation to typing events, and the view that its visitor receives. */
import type { z } from 'zod';
import { Conversation } from '../../models/conversation.ts';
import type { CustomEventPayloadView, VisitorTypingView } from '../../models/custom-event.ts';

interface TypingEvent {
  id_project: string;
  /** The conversation of a typing event; absent for other events. */
  request_id?: string | null;
}

const keyOf = ({ id_project, request_id }: TypingEvent): string => `${id_project} ${request_id}`;

const CONVERSATION_FIELDS = {
  ...{ id_project: 1, request_id: 1, participants: 1, 'agents.id_user': 1, 'snapshot.lead.lead_id': 1 },
} as const;

interface StoredConversation {
  id_project: string;
  request_id: string;
  participants: string[];
  agents: { id_user: string }[];
  snapshot?: { lead?: { lead_id?: string } };
}

type Conversations = Map<string, StoredConversation>;

/** Reads the conversations of typing events. */
export const readConversations = async (events: TypingEvent[]): Promise<Conversations> => {
  const typing = events.filter(({ request_id }) => request_id);
  const filter = {
    id_project: { $in: typing.map(({ id_project }) => id_project) },
    request_id: { $in: typing.flatMap(({ request_id }) => request_id ?? []) },
  };
  const found = typing.length ? await Conversation.find(filter, CONVERSATION_FIELDS).lean<StoredConversation[]>() : [];
  return new Map(found.map((conversation) => [keyOf(conversation), conversation]));
};

type EventPayload = z.input<typeof CustomEventPayloadView>;

const visitorView = (event: EventPayload, request_id: string): z.input<typeof VisitorTypingView> => {
  const { _id, id_project, name, createdBy, createdAt, user } = event;
  const { email: _, ...person } = user;
  return {
    ...{ _id, id: _id, id_project, name, createdBy, createdAt, user: person },
    attributes: { recipient_id: request_id, writer_id: createdBy },
    request: { request_id },
  };
};

/**
 * Adds the conversation to the payload of a typing event, and a view for the visitor unless the visitor is the author.
 * Other events are returned unchanged.
 */
export const withConversation = (view: EventPayload, event: TypingEvent, conversations: Conversations) => {
  const conversation = conversations.get(keyOf(event));
  if (!conversation) return { view };
  const { request_id, participants, snapshot } = conversation;
  const agents = conversation.agents.map(({ id_user }) => ({ id_user }));
  const visitor = snapshot?.lead?.lead_id;
  return {
    view: { ...view, request: { request_id, agents, participants } },
    ...(visitor !== view.createdBy && { visitor, visitorView: visitorView(view, request_id) }),
  };
};
