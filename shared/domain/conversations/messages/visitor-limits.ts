/** Rules for messages of visitors. Teammates, bots and subscriptions are exempt. */
import { AppError, invalidField } from '../../../errors.ts';
import { type Actor, isOwn, isTeam, type StoredConversation } from '../conversation.ts';
import type { IncomingMessage } from './build-message.ts';

/** Messages of one import by a visitor. */
const MAX_IMPORTED_MESSAGES = 20;
/** Bytes of a message's attributes and metadata, as JSON. */
const MAX_FREE_OBJECT_BYTES = 16_384;
/** Bytes of all messages of a conversation, as JSON. Messages imported by teammates do not count. */
const MAX_CONVERSATION_BYTES = 2_000_000;

/**
 * Attributes that change how clients show a message, or when it was sent. They are removed from messages of visitors.
 */
const RESERVED_ATTRIBUTES = [
  'clienttimestamp',
  'subtype',
  'messagelabel',
  'updateconversation',
  'updateconversationfor',
  'forcenotification',
];

const withoutReserved = (incoming: IncomingMessage): IncomingMessage => {
  if (!incoming.attributes || !RESERVED_ATTRIBUTES.some((key) => Object.hasOwn(incoming.attributes as object, key)))
    return incoming;
  const attributes = Object.entries(incoming.attributes).filter(([key]) => !RESERVED_ATTRIBUTES.includes(key));
  return { ...incoming, attributes: Object.fromEntries(attributes) };
};

const checkSize = ({ attributes, metadata }: IncomingMessage, path: string): void => {
  const bytes = Buffer.byteLength(JSON.stringify([attributes, metadata]));
  if (bytes > MAX_FREE_OBJECT_BYTES)
    throw invalidField(
      path,
      `attributes and metadata of a message may have at most ${MAX_FREE_OBJECT_BYTES} bytes in total`,
    );
};

/**
 * Returns the message without reserved attributes if a visitor sends it. Throws 422 if attributes and metadata exceed
 * the limit.
 */
export const sanitizeIncoming = (incoming: IncomingMessage, actor: Actor, path = 'attributes'): IncomingMessage => {
  if (isTeam(actor)) return incoming;
  checkSize(incoming, path);
  return withoutReserved(incoming);
};

/** Sanitizes the messages of one import. Throws 422 if a visitor sends too many at once. */
export const sanitizeAllIncoming = (all: IncomingMessage[], actor: Actor): IncomingMessage[] => {
  if (!isTeam(actor) && all.length > MAX_IMPORTED_MESSAGES)
    throw invalidField(
      '',
      `messages/multi accepts at most ${MAX_IMPORTED_MESSAGES} messages from a visitor; send them in several calls`,
    );
  return all.map((incoming, index) => sanitizeIncoming(incoming, actor, `${index}.attributes`));
};

/**
 * The sender name to store. A visitor cannot choose it: the name is that of its lead in its own conversation, else that
 * of its account.
 */
export const senderNameIn = (
  request: StoredConversation,
  name: string | undefined,
  actor: Actor,
): string | undefined => {
  if (isTeam(actor) || name === undefined || name === actor.fullname) return name;
  const { fullname } = (request.snapshot.lead ?? {}) as { fullname?: string };
  return (isOwn(request, actor) ? fullname : undefined) ?? actor.fullname;
};

/** 413 for a visitor who posts to a full conversation. */
export const conversationFull = () =>
  new AppError(
    413,
    'CONVERSATION_MESSAGE_LIMIT',
    `The conversation has reached its limit of ${MAX_CONVERSATION_BYTES} bytes for visitors; open a new conversation`,
  );

/** Throws 413 if a visitor exceeds the limit. `bytes` is the size of the conversation including the new message. */
export const assertRoom = (bytes: number, actor: Actor): void => {
  if (!isTeam(actor) && bytes > MAX_CONVERSATION_BYTES) throw conversationFull();
};

/** A filter for conversations that can hold `bytes` more. */
export const roomFilter = (bytes: number) => ({ bytes: { $not: { $gt: MAX_CONVERSATION_BYTES - bytes } } });
