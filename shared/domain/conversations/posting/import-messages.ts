/**
 * Imports many messages into an existing conversation, ordered by their times. Sending an interrupted import again
 * completes it.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ClientSession, Types } from 'mongoose';
import { newId } from '../../../context.ts';
import { emits } from '../../../events.ts';
import { insertMissingRecords } from '../../../database/raw-write.ts';
import { AppError } from '../../../errors.ts';
import { logger } from '../../../logger.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { consumeBytes } from '../../../budgets/project-bytes.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import {
  type Actor,
  accessibleToVisitor,
  CONVERSATION_FIELDS,
  type ConversationKey,
  type ConversationUpdate,
  isTeam,
  type StoredConversation,
  conversationNotFound,
  updateConversation,
} from '../conversation.ts';
import { findSelectors, type RoutingPlan } from '../../routing/routing-plan.ts';
import { endPreflight, selectAfterPreflight } from '../lifecycle/end-preflight.ts';
import { assertSender, buildMessage, isTemplate, messageEffects, textRenderer } from '../messages/build-message.ts';
import type { IncomingMessage } from '../new-conversation.ts';
import { findByClientIds, messagesOf, type StoredMessage } from '../messages/messages.ts';
import {
  conversationFullError,
  conversationSizeFilter,
  lastMessageOf,
  sanitizeAllIncoming,
  senderNameIn,
} from '../messages/message-limits.ts';

const INSERT_BATCH_SIZE = 500;
/**
 * An import with at most this number of messages, all sent within the last minute, emits `message.create` for each
 * message. Any other import emits one event.
 */
const MAX_SINGLE_EVENTS = 100;
const RECENT_MS = 60_000;
const MAX_TEMPLATES = 100;
/** Number of messages rendered before other work in the event loop may run. */
const RENDER_BATCH_SIZE = 100;

/** The messages of one import. */
interface ImportBatch {
  key: ConversationKey;
  actor: Actor;
  messages: StoredMessage[];
  /** Whether the messages are few and recent, so that each emits its own event. */
  isRecent: boolean;
}

const timeOf = ({ createdAt }: StoredMessage): number => (createdAt as Date).getTime();

/**
 * Returns the time of each message in milliseconds: its client timestamp or, without one, the time of the previous
 * message, so that it is sorted after that message by its id.
 */
const sentTimes = (incoming: IncomingMessage[]): number[] => {
  let time = Date.now();
  return incoming.map(({ attributes }) => {
    time = (attributes?.clienttimestamp as number | undefined) ?? time;
    return time;
  });
};

/**
 * Builds the messages. A message without a `client_message_id` gets an id that is derived from the call, so that a
 * repeated call with the same `Idempotency-Key` assigns the same id.
 */
const buildBatch = (key: ConversationKey, all: IncomingMessage[], actor: Actor): ImportBatch => {
  const callId = newId();
  const times = sentTimes(all);
  const messages = all.map((each, index) => {
    const incoming = { ...each, client_message_id: each.client_message_id ?? `${callId}-${index}` };
    const own = {
      _id: String(new Types.ObjectId()),
      createdBy: incoming.sender ?? actor.id,
      createdAt: new Date(times[index] ?? 0),
    };
    return buildMessage({ key, incoming, actor }, own);
  });
  const since = Date.now() - RECENT_MS;
  const isRecent = messages.length <= MAX_SINGLE_EVENTS && times.every((time) => time >= since);
  return { key, actor, messages, isRecent };
};

const clientIdsOf = (messages: StoredMessage[]): string[] =>
  messages.map(({ client_message_id }) => client_message_id as string);

const latestOf = (messages: StoredMessage[]): StoredMessage =>
  messages.reduce((last, message) => (timeOf(message) >= timeOf(last) ? message : last));

/** Returns the messages sent since the conversation was opened, oldest first. Earlier messages do not affect it. */
const sinceOpened = (before: StoredConversation, { messages }: ImportBatch): StoredMessage[] =>
  messages
    .filter((message) => timeOf(message) >= before.createdAt.getTime())
    .toSorted((one, other) => timeOf(one) - timeOf(other));

/** Returns a function that computes the effects of the first message that has any, as if this message were posted. */
const batchEffects =
  (batch: ImportBatch, plan: RoutingPlan | undefined) =>
  async (before: StoredConversation, session: ClientSession): Promise<ConversationUpdate | null> => {
    for (const message of sinceOpened(before, batch)) {
      const effects =
        (await endPreflight(before, { message, plan }, session)) ?? messageEffects(before, message, batch.actor);
      if (effects) return effects;
    }
    return null;
  };

/**
 * Sets `last_message` unless the stored one is newer. Emits `message.import` unless each message emits its own event.
 * Returns false if the conversation has been deleted.
 */
const updateLastMessage = async ({ key, isRecent }: ImportBatch, last: StoredMessage): Promise<boolean> => {
  const events = isRecent ? {} : emits('message.import');
  const earlier = { ...key, 'attributes.last_message.createdAt': { $not: { $gt: last.createdAt } } };
  const { matchedCount } = await Conversation.updateOne(
    earlier,
    { $set: { 'attributes.last_message': lastMessageOf(last) } },
    events,
  );
  if (matchedCount || isRecent) return matchedCount > 0 || (await Conversation.exists(key)) !== null;
  return (await Conversation.updateOne(key, {}, events)).matchedCount > 0;
};

/**
 * Stores the missing messages in batches, then updates the conversation. This is not one transaction, because after a
 * crash, an open transaction would block the conversation for a minute. An interrupted import updates the conversation
 * only when it is sent again. Throws 404 if the conversation has been deleted.
 */
const storeMissing = async (batch: ImportBatch): Promise<StoredMessage[]> => {
  const { key, messages, isRecent } = batch;
  for (let start = 0; start < messages.length; start += INSERT_BATCH_SIZE)
    await insertMissingRecords(
      Message,
      messages.slice(start, start + INSERT_BATCH_SIZE),
      isRecent ? emits('message.create') : {},
    );
  const stored = await findByClientIds(
    key,
    clientIdsOf(compatibility.importReturnsAll ? messages : [latestOf(messages)]),
  );
  if (await updateLastMessage(batch, stored.at(-1) as StoredMessage)) return stored;
  await Message.deleteMany({ ...messagesOf(key), client_message_id: { $in: clientIdsOf(messages) } });
  throw conversationNotFound(key);
};

const find = async (key: ConversationKey): Promise<StoredConversation> => {
  const request = await Conversation.findOne(key, CONVERSATION_FIELDS).lean<StoredConversation>();
  if (!request) throw conversationNotFound(key);
  return request;
};

/**
 * Adds the size of the messages to the visitor's own conversation, and returns the conversation. A repeated import is
 * counted again. Throws 404 for the conversation of another visitor, 413 if the conversation would exceed its limit.
 */
const chargeOwnConversation = async (
  key: ConversationKey,
  incoming: IncomingMessage[],
  actor: Actor,
): Promise<StoredConversation> => {
  const own = { ...key, ...accessibleToVisitor(actor.id) };
  const bytes = Buffer.byteLength(JSON.stringify(incoming));
  const reservation = { $inc: { bytes } };
  const options = { returnDocument: 'after', projection: CONVERSATION_FIELDS } as const;
  const request = await Conversation.findOneAndUpdate(
    { ...own, ...conversationSizeFilter(bytes) },
    reservation,
    options,
  ).lean<StoredConversation>();
  if (request) return request;
  throw (await Conversation.exists(own)) ? conversationFullError() : conversationNotFound(key);
};

/**
 * Returns a 503 that lists the stored messages if an unexpected error occurs after some messages were stored.
 * Otherwise, returns the error unchanged.
 */
const partiallyStoredError = async ({ key, messages }: ImportBatch, error: unknown): Promise<unknown> => {
  const storedIds = new Map(
    (await findByClientIds(key, clientIdsOf(messages))).map((each) => [each.client_message_id, String(each._id)]),
  );
  if (error instanceof AppError || !storedIds.size) return error;
  logger.error({ err: error, ...key }, 'message import failed after some messages were stored');
  const stored = messages.flatMap(({ client_message_id }, index) => {
    const _id = storedIds.get(client_message_id);
    return _id ? [{ index, _id }] : [];
  });
  const text = `${stored.length} of ${messages.length} messages were stored; repeat the same call to store the rest`;
  return new AppError(503, 'PARTIALLY_STORED', text).with({ body: { stored }, headers: { 'Retry-After': '2' } });
};

const renderAll = async (key: ConversationKey, all: IncomingMessage[], actor: Actor): Promise<IncomingMessage[]> => {
  if (all.filter(isTemplate).length > MAX_TEMPLATES)
    throw new AppError(
      422,
      'INVALID',
      `attributes.templateProcessor: at most ${MAX_TEMPLATES} messages of an import can be templates; split the import`,
    );
  const renderText = textRenderer(key, actor);
  const rendered: IncomingMessage[] = [];
  for (const [index, incoming] of all.entries()) {
    rendered.push(await renderText(incoming));
    if (index % RENDER_BATCH_SIZE === 0) await yieldToEventLoop();
  }
  return rendered;
};

/**
 * Imports messages. Returns the last message, or all messages for deployed clients. A message is identified by its
 * `client_message_id`, or by the `Idempotency-Key` and its index. Therefore, repeating a call stores only the missing
 * messages.
 * Errors: 403 if a visitor sets another `sender`, 404 for an unknown conversation and for the conversation of another
 * visitor, 413 or 422 if the messages exceed a limit, 503 with `stored` if only some messages could be stored.
 */
export const importMessages = async (
  key: ConversationKey,
  incoming: IncomingMessage[],
  actor: Actor,
): Promise<StoredMessage[]> => {
  for (const each of incoming) assertSender(each, actor);
  const all = sanitizeAllIncoming(incoming, actor);
  const before = await (isTeam(actor) ? find(key) : chargeOwnConversation(key, all, actor));
  const signed = all.map((each) => ({ ...each, senderFullname: senderNameIn(before, each.senderFullname, actor) }));
  consumeBytes(key.id_project, Buffer.byteLength(JSON.stringify(signed)));
  const batch = buildBatch(key, await renderAll(key, signed, actor), actor);
  try {
    const stored = await storeMissing(batch);
    const recent = sinceOpened(before, batch);
    const isSelected = recent.length > 0 && (await findSelectors(key.id_project)).length > 0;
    const plan = isSelected ? await selectAfterPreflight(key, recent) : undefined;
    if (recent.length) await updateConversation(key, batchEffects(batch, plan));
    return stored;
  } catch (error) {
    throw await partiallyStoredError(batch, error);
  }
};
