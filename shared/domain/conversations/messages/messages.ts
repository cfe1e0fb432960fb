/** Reads the messages that a caller may see, and advances the delivery status of messages. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { emits } from '../../../events.ts';
import { readEach, readMany, readOne } from '../../../database/raw-read.ts';
import { notFound } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { isPrivate, MESSAGE_STATUS, Message, MessageView, VisitorMessageView } from '../../../models/message.ts';
import { isId, projectionOf } from '../../../wire/view.ts';
import {
  type Actor,
  accessibleToVisitor,
  CONVERSATION_FIELDS,
  type ConversationKey,
  isTeam,
  type StoredConversation,
  teamViews,
  conversationNotFound,
  visitorOf,
  visitorView,
} from '../conversation.ts';
import {
  type MessagePage,
  type MessagePageQuery,
  readMessagePage,
  STREAM_BATCH_SIZE,
  withoutRemoved,
} from './message-pages.ts';
import { conversationForEvents } from './message-limits.ts';

export type StoredMessage = z.input<typeof MessageView>;

/** Filters for the messages that visitors may see, and for the others, which are private (see `isPrivate`). */
export const NOT_PRIVATE = { 'attributes.subtype': { $ne: 'private' } };
export const PRIVATE = { 'attributes.subtype': 'private' };

/** Returns the fields of a message that the visitor may see, or undefined for a private message. */
export const messageForVisitor = (message: StoredMessage) =>
  isPrivate(message) ? undefined : VisitorMessageView.parse(message);

const MESSAGE_FIELDS = projectionOf(MessageView);

/**
 * A filter for the messages of a conversation. It excludes direct messages, whose recipient may equal the `request_id`.
 */
export const messagesOf = ({ id_project, request_id }: ConversationKey) => ({
  id_project,
  recipient: request_id,
  channel_type: { $ne: 'direct' },
});

/** Returns a message of a conversation by its `_id` or `client_message_id`; null if there is none or it was removed. */
export const findByIdOrClientId = async (
  key: ConversationKey,
  id: { _id: string } | { client_message_id: string },
): Promise<StoredMessage | null> =>
  (await readOne(Message, await withoutRemoved({ ...messagesOf(key), ...id }), MESSAGE_FIELDS)) as StoredMessage | null;

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Returns the messages with these `client_message_id`s in a conversation that were not removed, oldest first. */
export const findByClientIds = async (key: ConversationKey, clientIds: string[]): Promise<StoredMessage[]> => {
  const filter = await withoutRemoved({ ...messagesOf(key), client_message_id: { $in: clientIds } });
  return (await readMany(Message, filter, { fields: MESSAGE_FIELDS, sort: OLDEST_FIRST })) as StoredMessage[];
};

/** Returns the filter for a conversation's messages that the caller may see, or null for a visitor without access. */
const visibleFilter = async (key: ConversationKey, actor: Actor) => {
  const ofConversation = messagesOf(key);
  if (isTeam(actor)) return ofConversation;
  const hasAccess = await Conversation.exists({ ...key, ...accessibleToVisitor(actor.id) });
  return hasAccess ? { ...ofConversation, ...NOT_PRIVATE } : null;
};

/** Returns a function that reduces a visible message to the fields that the caller may see. */
export const viewFor =
  (actor: Actor) =>
  (message: StoredMessage): StoredMessage =>
    isTeam(actor) ? message : VisitorMessageView.parse(message);

/** Returns a page of the messages that the caller may see. The page of an unknown conversation is empty. */
export const list = async (
  key: ConversationKey,
  actor: Actor,
  query: MessagePageQuery,
): Promise<MessagePage<StoredMessage>> => {
  const filter = await visibleFilter(key, actor);
  if (!filter) return { messages: [], next: null };
  return readMessagePage(filter, query, { fields: MESSAGE_FIELDS, toView: viewFor(actor) });
};

/**
 * Streams a conversation's messages that the caller may see, for CSV exports. Throws 404 for an unknown conversation,
 * and for a visitor without access to the conversation.
 */
export async function* stream(key: ConversationKey, actor: Actor): AsyncGenerator<StoredMessage> {
  const filter = await visibleFilter(key, actor);
  if (!filter || !(await Conversation.exists({ ...key }))) throw conversationNotFound(key);
  const found = readEach(Message, await withoutRemoved(filter), {
    fields: MESSAGE_FIELDS,
    sort: OLDEST_FIRST,
    batchSize: STREAM_BATCH_SIZE,
  }) as AsyncIterable<StoredMessage>;
  for await (const message of found) yield viewFor(actor)(message);
}

/** Streams all messages of a project, newest first. */
export async function* streamOfProject(id_project: string): AsyncGenerator<StoredMessage> {
  const visible = await withoutRemoved({ id_project });
  yield* readEach(Message, visible, {
    fields: MESSAGE_FIELDS,
    sort: NEWEST_FIRST,
    batchSize: STREAM_BATCH_SIZE,
  }) as AsyncIterable<StoredMessage>;
}

/** Returns a message of a conversation. Throws 404 if it does not exist, or if the caller may not see it. */
export const find = async (key: ConversationKey, id: string, actor: Actor) => {
  const filter = isId(id) && (await visibleFilter(key, actor));
  const message = filter ? await readOne(Message, { _id: id, ...filter }, MESSAGE_FIELDS) : null;
  if (!message) throw notFound('Message not found');
  return viewFor(actor)(message as StoredMessage);
};

/** Returns a message of a project, which may be a direct message. Throws 404 for an unknown message. */
export const read = async (id_project: string, _id: string): Promise<StoredMessage> => {
  const message = await readOne(Message, { id_project, _id }, MESSAGE_FIELDS);
  if (!message) throw notFound('Message not found');
  return message as StoredMessage;
};

/** Whether a message goes to one person or bot instead of a conversation. */
export const isDirect = ({ channel_type }: StoredMessage): boolean => channel_type === 'direct';

/** Returns a function that returns a message's conversation as teammates see it, or undefined for a direct message. */
const conversationLookup = async (messages: StoredMessage[]) => {
  const inConversations = messages.filter((message) => !isDirect(message));
  const projects = [...new Set(inConversations.map(({ id_project }) => id_project))];
  const recipients = [...new Set(inConversations.map(({ recipient }) => recipient))];
  const filter = { id_project: { $in: projects }, request_id: { $in: recipients } };
  const stored = (await readMany(Conversation, filter, {
    fields: CONVERSATION_FIELDS,
  })) as unknown as StoredConversation[];
  const views = (await teamViews(stored)).map(
    (request) => [`${request.id_project} ${request.request_id}`, request] as const,
  );
  const requests = new Map(views);
  return (message: StoredMessage) =>
    isDirect(message) ? undefined : requests.get(`${message.id_project} ${message.recipient}`);
};

/**
 * Returns a page of a project's messages, including direct ones, newest first. With `words`, returns only messages that
 * contain all of them.
 */
export const listLatest = async (
  id_project: string,
  { words, ...page }: { skip: number; limit: number; words?: string[] },
): Promise<StoredMessage[]> => {
  const filter = await withoutRemoved({ id_project, ...(words && { keywords: { $all: words } }) });
  const sort = words ? ({ _id: -1 } as const) : NEWEST_FIRST; // the order of the index on words
  return (await readMany(Message, filter, { fields: MESSAGE_FIELDS, sort, ...page })) as StoredMessage[];
};

/** Adds its conversation to each message, in the field `request`. */
export const withConversations = async (messages: StoredMessage[]) => {
  const requestOf = await conversationLookup(messages);
  return messages.map((message) => ({ ...message, request: requestOf(message) }));
};

/**
 * Returns the messages that still exist, with their conversations, as event payloads for teammates and for the visitor.
 */
export const readForEvents = async (keys: (Types.ObjectId | string)[]) => {
  const anyProject = { anyProject: true }; // the relay reads the records of all projects
  const messages = (await Message.find({ _id: { $in: keys } }, MESSAGE_FIELDS, anyProject).lean()) as StoredMessage[];
  const requestOf = await conversationLookup(messages);
  return messages.map((message) => {
    const request = requestOf(message);
    const visitor = isDirect(message) ? message.recipient : request && visitorOf(request);
    const visible = visitor === undefined ? undefined : messageForVisitor(message);
    return {
      key: message._id as Types.ObjectId,
      view: { ...message, ...(request && { request: conversationForEvents(request) }) },
      ...(visitor !== undefined && { visitor }),
      ...(visible && { visitorView: { ...visible, ...(request && { request: visitorView(request) }) } }),
    };
  });
};

type MessageStatus = (typeof MESSAGE_STATUS)[keyof typeof MESSAGE_STATUS];

/** Advances the delivery status of a message. The status never decreases, so reports may arrive in any order. */
export const advanceStatus = async (
  message: { id_project: string; _id: string },
  status: MessageStatus,
): Promise<void> => {
  const events =
    status >= MESSAGE_STATUS.received ? emits('message.update', 'message.received') : emits('message.update');
  await Message.updateOne({ ...message, status: { $lt: status } }, { $set: { status } }, events);
};
