/**
 * Limits on messages and on new conversations. The limits on what visitors send do not apply to teammates and programs
 * (`isTeam`). The limits on the copies of messages, in conversations and events, apply to all messages.
 */
import { countRecords } from '../../../database/raw-read.ts';
import { AppError, invalidField } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { type Actor, isTeam, ownsConversation, type StoredConversation } from '../conversation.ts';
import type { IncomingMessage } from '../new-conversation.ts';

/** Maximum number of messages in one import by a visitor. */
const MAX_IMPORTED_MESSAGES = 20;
/** Maximum total size of a message's attributes and metadata, as JSON. */
const MAX_FREE_OBJECT_BYTES = 16_384;
/**
 * Maximum total size of the messages of a conversation, as JSON. Messages that teammates, bots or subscriptions import
 * are not counted.
 */
const MAX_CONVERSATION_BYTES = 2_000_000;

/**
 * Attributes that change how clients display a message, or the time of the message. They are removed from visitors'
 * messages.
 */
const RESERVED_ATTRIBUTES = [
  'clienttimestamp',
  'subtype',
  'messagelabel',
  'updateconversation',
  'updateconversationfor',
  'forcenotification',
];

/** Returns the size of a value as JSON, in bytes. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const withoutReserved = (incoming: IncomingMessage): IncomingMessage => {
  if (!incoming.attributes || !RESERVED_ATTRIBUTES.some((key) => Object.hasOwn(incoming.attributes as object, key)))
    return incoming;
  const attributes = Object.entries(incoming.attributes).filter(([key]) => !RESERVED_ATTRIBUTES.includes(key));
  return { ...incoming, attributes: Object.fromEntries(attributes) };
};

const checkSize = ({ attributes, metadata }: IncomingMessage, path: string): void => {
  if (bytesOf([attributes, metadata]) > MAX_FREE_OBJECT_BYTES)
    throw invalidField(
      path,
      `attributes and metadata of a message may have at most ${MAX_FREE_OBJECT_BYTES} bytes in total`,
    );
};

/**
 * Removes the reserved attributes from a message that a visitor sends. Throws 422 if its attributes and metadata exceed
 * the limit. Messages of teammates, bots and subscriptions are returned unchanged.
 */
export const sanitizeIncoming = (incoming: IncomingMessage, actor: Actor, path = 'attributes'): IncomingMessage => {
  if (isTeam(actor)) return incoming;
  checkSize(incoming, path);
  return withoutReserved(incoming);
};

/** Throws 422 if a visitor imports too many messages in one call. The error names no field, as the body is a list. */
export const assertImportSize = (all: IncomingMessage[], actor: Actor): void => {
  if (isTeam(actor) || all.length <= MAX_IMPORTED_MESSAGES) return;
  throw invalidField(
    '',
    `messages/multi accepts at most ${MAX_IMPORTED_MESSAGES} messages from a visitor; send them in several calls`,
  );
};

/** Calls `sanitizeIncoming` for each message of one import. */
export const sanitizeAllIncoming = (all: IncomingMessage[], actor: Actor): IncomingMessage[] =>
  all.map((incoming, index) => sanitizeIncoming(incoming, actor, `${index}.attributes`));

/**
 * Returns the sender name to store. A visitor cannot choose it. In the visitor's own conversation, it is the name of
 * the lead. In any other conversation, or if the lead has no name, it is the name in the credentials.
 */
export const senderNameIn = (
  request: StoredConversation,
  name: string | undefined,
  actor: Actor,
): string | undefined => {
  if (isTeam(actor) || name === undefined || name === actor.fullname) return name;
  const { fullname } = (request.snapshot.lead ?? {}) as { fullname?: string };
  return (ownsConversation(request, actor) ? fullname : undefined) ?? actor.fullname;
};

/** Builds the 413 for a visitor who posts to a conversation that has reached its limit. */
export const conversationFullError = () =>
  new AppError(
    413,
    'CONVERSATION_MESSAGE_LIMIT',
    `The conversation has reached its limit of ${MAX_CONVERSATION_BYTES} bytes for visitors; open a new conversation`,
  );

/** Throws 413 if a visitor exceeds the limit. `bytes` is the total size of the messages, including the new one. */
export const assertConversationSize = (bytes: number, actor: Actor): void => {
  if (!isTeam(actor) && bytes > MAX_CONVERSATION_BYTES) throw conversationFullError();
};

/** The filter for conversations that do not exceed the size limit if `addedBytes` are added. */
export const conversationSizeFilter = (addedBytes: number) => ({
  bytes: { $not: { $gt: MAX_CONVERSATION_BYTES - addedBytes } },
});

/** Maximum size of attributes or metadata in the copies of a message: in `last_message` and in events. */
const MAX_COPIED_BYTES = 16_384;
const MAX_LISTED_KEYS = 50;
const MAX_KEY_LENGTH = 100;

type FreeObject = Record<string, unknown>;

/** Removes the largest fields from an object that is too large. `_left_out` then lists the removed keys. */
export const truncateObject = <F extends FreeObject | null | undefined>(free: F): F => {
  if (!free) return free;
  let bytes = bytesOf(free);
  if (bytes <= MAX_COPIED_BYTES) return free;
  const omitted = new Set<string>();
  const sizes = Object.entries(free).map(([key, value]) => ({ key, size: bytesOf([key, value]) }));
  for (const { key, size } of sizes.toSorted((one, other) => other.size - one.size)) {
    if (bytes <= MAX_COPIED_BYTES) break;
    omitted.add(key);
    bytes -= size;
  }
  const remaining = Object.entries(free).filter(([key]) => !omitted.has(key));
  const _left_out = [...omitted].slice(0, MAX_LISTED_KEYS).map((key) => key.slice(0, MAX_KEY_LENGTH));
  return { ...Object.fromEntries(remaining), _left_out } as unknown as F;
};

/** Returns a message as stored in `last_message`: truncated, because every event of the conversation carries it. */
export const lastMessageOf = <M extends { attributes?: FreeObject | null; metadata?: FreeObject | null }>(
  message: M,
): M => ({
  ...message,
  attributes: truncateObject(message.attributes),
  metadata: truncateObject(message.metadata),
});

/** The fields of a conversation that contain free-form objects. */
interface WithFreeObjects {
  attributes?: FreeObject | null;
  lead?: { attributes?: FreeObject | null } | null;
  snapshot: { lead?: { attributes?: FreeObject | null } | null; agents?: unknown };
  notes?: unknown;
}

const withTruncatedAttributes = <L extends { attributes?: FreeObject | null } | null | undefined>(lead: L): L =>
  lead && { ...lead, attributes: truncateObject(lead.attributes) };

/**
 * Returns a conversation in the form in which message events contain it: without notes, without `snapshot.agents` (a
 * copy of `agents`), and with truncated attributes.
 */
export const conversationForEvents = <R extends WithFreeObjects>(whole: R) => {
  const { notes: _, ...request } = whole;
  const { last_message, ...own } = request.attributes ?? {};
  const { agents: __, ...snapshot } = request.snapshot;
  return {
    ...request,
    attributes: { ...truncateObject(own), ...(last_message !== undefined && { last_message }) },
    lead: withTruncatedAttributes(request.lead),
    snapshot: { ...snapshot, lead: withTruncatedAttributes(snapshot.lead) },
  };
};

const HOUR_MS = 3_600_000;
/** Maximum number of conversations that one visitor may open in an hour. */
const MAX_CONVERSATIONS_PER_HOUR = 60;
const RETRY_AFTER_SECONDS = 60;

/** Throws 429 if the actor is a visitor who has reached the hourly limit on new conversations. */
export const assertConversationRate = async (id_project: string, actor: Actor): Promise<void> => {
  if (isTeam(actor)) return;
  const own = {
    id_project,
    'snapshot.lead.lead_id': actor.id,
    createdAt: { $gt: new Date(currentTimeMs() - HOUR_MS) },
  };
  if ((await countRecords(Conversation, own, MAX_CONVERSATIONS_PER_HOUR)) < MAX_CONVERSATIONS_PER_HOUR) return;
  const text = `A visitor can open at most ${MAX_CONVERSATIONS_PER_HOUR} conversations per hour; retry later`;
  throw new AppError(429, 'RATE_LIMITED', text).retryAfter(RETRY_AFTER_SECONDS);
};
