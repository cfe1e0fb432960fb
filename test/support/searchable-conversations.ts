/** Conversations for searches, written directly to the database. */
import { newId } from '#shared/context.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';

/** A conversation for searches: its fields and its messages. */
export interface SearchableConversation {
  request_id: string;
  messages?: (string | { text: string; attributes: object })[];
  [field: string]: unknown;
}

/** The snapshot of a lead, as a conversation stores it. */
export const leadSnapshot = (lead: { lead_id?: string; fullname?: string; email?: string }) => {
  const now = new Date();
  const fields = { tags: [], status: 100, createdBy: 'x', createdAt: now, updatedAt: now, __v: 0 };
  return { snapshot: { lead: { _id: newId(), id_project: 'x', lead_id: 'x', ...lead, ...fields } } };
};

/** Notes with these texts, as a conversation stores them. */
export const notesOf = (...texts: string[]) => {
  const now = new Date();
  return { notes: texts.map((text) => ({ text, createdBy: 'x', createdAt: now, updatedAt: now })) };
};

/** Inserts the conversations in the given order, and their messages. */
export const storeConversations = async (
  id_project: string,
  conversations: SearchableConversation[],
): Promise<void> => {
  const own = { id_project, createdBy: 'x' };
  const requests = conversations.map(({ messages: _messages, ...fields }) => ({
    ...{ ...own, _id: newId(), first_text: 'Hello', snapshot: {} },
    ...fields,
  }));
  const messages = conversations.flatMap(({ request_id, messages: texts = [] }) =>
    texts.map((message) => ({
      ...{ ...own, _id: newId(), recipient: request_id, sender: 'x' },
      ...(typeof message === 'string' ? { text: message } : message),
    })),
  );
  await Conversation.insertMany(requests);
  await Message.insertMany(messages);
};

/** Adds a message to a conversation. */
export const storeMessage = (id_project: string, request_id: string, text: string) =>
  Message.create([{ id_project, recipient: request_id, text, sender: 'x', createdBy: 'x' }]);
