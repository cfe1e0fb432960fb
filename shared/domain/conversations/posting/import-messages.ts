/**
 * Imports many messages into an existing conversation, ordered by their times. Sending an interrupted import again
 * completes it.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ClientSession, Types } from 'mongoose';
import { newId } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { consumeBytes } from '../../../budgets/project-bytes.ts';
import { currentTimeMs } from '../../../time/clock.ts';
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
import { withQuota } from '../../quotas/charge.ts';
import { findSelectors, type RoutingPlan } from '../../routing/routing-plan.ts';
import { endPreflight, selectAfterPreflight } from '../lifecycle/end-preflight.ts';
import { assertSender, buildMessage, isTemplate, messageEffects, textRenderer } from '../messages/build-message.ts';
import type { IncomingMessage } from '../new-conversation.ts';
import type { StoredMessage } from '../messages/messages.ts';
import {
  assertImportSize,
  conversationFullError,
  conversationSizeFilter,
  sanitizeAllIncoming,
  senderNameIn,
} from '../messages/message-limits.ts';
import { type ImportBatch, partiallyStoredError, storeMissing, timeOf } from './store-import.ts';

/**
 * An import with at most this many messages, all sent within the last minute, emits `message.create` for each message.
 * Any other import emits one event.
 */
const MAX_SINGLE_EVENTS = 100;
const RECENT_MS = 60_000;
const MAX_TEMPLATES = 100;
/** Number of messages rendered before other work in the event loop may run. */
const RENDER_BATCH_SIZE = 100;

/**
 * Returns the time of each message in epoch milliseconds: its client timestamp or, without one, the time of the
 * previous message (for the first message, the current time). Messages with the same time are sorted by their ids,
 * which ascend, so they keep the order of the import.
 */
const sentTimes = (incoming: IncomingMessage[]): number[] => {
  let time = currentTimeMs();
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
  const since = currentTimeMs() - RECENT_MS;
  const isRecent = messages.length <= MAX_SINGLE_EVENTS && times.every((time) => time >= since);
  return { key, actor, messages, isRecent };
};

/**
 * Returns the messages sent since the conversation was opened, oldest first. Earlier messages do not affect the
 * conversation.
 */
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

const find = async (key: ConversationKey): Promise<StoredConversation> => {
  const request = await Conversation.findOne(key, CONVERSATION_FIELDS).lean<StoredConversation>();
  if (!request) throw conversationNotFound(key);
  return request;
};

/**
 * Adds the size of the messages to that of the visitor's own conversation, and returns the conversation. A repeated
 * import is counted again. Throws 404 for the conversation of another visitor, 413 if the conversation would exceed its
 * limit.
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
 * Imports messages. Returns the last message, or all of them if the wire profile requires it. A message is identified
 * by its `client_message_id`, or by the `Idempotency-Key` and its index in the import. Therefore, repeating a call
 * stores only the missing messages.
 * Errors: 403 if a visitor names another `sender` or a plan limit has been reached, 404 for an unknown conversation and
 * for the conversation of another visitor, 413 or 422 if the messages exceed a limit, 429 if the project has used up
 * its byte budget, 503 with `stored` if only some messages could be stored.
 */
export const importMessages = async (
  key: ConversationKey,
  incoming: IncomingMessage[],
  actor: Actor,
): Promise<StoredMessage[]> => {
  for (const each of incoming) assertSender(each, actor);
  assertImportSize(incoming, actor);
  const all = sanitizeAllIncoming(incoming, actor);
  const before = await (isTeam(actor) ? find(key) : chargeOwnConversation(key, all, actor));
  const signed = all.map((each) => ({ ...each, senderFullname: senderNameIn(before, each.senderFullname, actor) }));
  consumeBytes(key.id_project, Buffer.byteLength(JSON.stringify(signed)));
  const batch = buildBatch(key, await renderAll(key, signed, actor), actor);
  try {
    const stored = await withQuota((charge) => storeMissing(batch, charge));
    const recent = sinceOpened(before, batch);
    const isSelected = recent.length > 0 && (await findSelectors(key.id_project)).length > 0;
    const plan = isSelected ? await selectAfterPreflight(key, recent) : undefined;
    if (recent.length) await updateConversation(key, batchEffects(batch, plan));
    return stored;
  } catch (error) {
    throw await partiallyStoredError(batch, error);
  }
};
