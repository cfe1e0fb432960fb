/** Posts a message to a conversation, or opens the conversation with the message, in one transaction. */
import type { ClientSession } from 'mongoose';
import { runExclusive } from '../../../concurrency/keyed-mutex.ts';
import { KnownKeys } from '../../../concurrency/known-keys.ts';
import { newId } from '../../../context.ts';
import { inTransaction } from '../../../database/connection.ts';
import { runOrFindEarlier } from '../../../database/run-or-find-earlier.ts';
import { isDuplicateKey } from '../../../database/unique-keys.ts';
import { emits } from '../../../events.ts';
import { insertRecord, updateRecord } from '../../../database/raw-write.ts';
import { AppError } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import {
  type Actor,
  accessibleToVisitor,
  applyUpdate,
  CONVERSATION_FIELDS,
  type ConversationKey,
  find,
  hasAccess,
  isTeam,
  lockKey,
  lookUp,
  type StoredConversation,
} from '../conversation.ts';
import { chargeMessages, type QuotaCharge, withQuota } from '../../quotas/charge.ts';
import { findSelectors, type RoutingPlan } from '../../routing/routing-plan.ts';
import { completeRemovals } from '../lifecycle/delete.ts';
import { endPreflight, selectAfterPreflight } from '../lifecycle/end-preflight.ts';
import { openConversation } from '../lifecycle/open-conversation.ts';
import type { IncomingMessage, NewConversation } from '../new-conversation.ts';
import { currentBot } from '../participants.ts';
import {
  assertSender,
  assertSenderNamed,
  buildMessage,
  isCommand,
  messageEffects,
  requireFirstText,
  textRenderer,
} from '../messages/build-message.ts';
import { assertCommandAllowed, runCommand } from './commands.ts';
import { findByIdOrClientId, type StoredMessage } from '../messages/messages.ts';
import {
  assertConversationSize,
  bytesOf,
  lastMessageOf,
  sanitizeIncoming,
  senderNameIn,
} from '../messages/message-limits.ts';

/** A posted message, and its conversation after the post. */
export interface PostedMessage {
  message: StoredMessage;
  request: StoredConversation;
  /** True if an earlier call has posted the message. */
  isRepeated?: boolean;
}

/**
 * Ids of the records that a post creates. They are the same in every attempt, so that an attempt recognizes the records
 * that an earlier attempt has stored.
 */
type RecordIds = Record<'message' | 'request' | 'lead' | 'systemMessage', string>;
interface PostContext {
  key: ConversationKey;
  incoming: IncomingMessage;
  actor: Actor;
  ids: RecordIds;
  charge: QuotaCharge;
  /** The routing plan with the answer of a subscriber to `operator.select`, if the message ends a preflight. */
  plan?: RoutingPlan;
}

/**
 * Builds the message, sets it as `last_message` of the conversation and adds its bytes, minus `countedBytes`, to those
 * of the conversation. Returns the message and the conversation, or null if the conversation does not exist or the
 * sender cannot access it.
 */
const buildAndSetLastMessage = async (
  { key, incoming, actor, ids }: PostContext,
  session: ClientSession,
  countedBytes = 0,
) => {
  const message = buildMessage({ key, incoming, actor }, { _id: ids.message, createdBy: incoming.sender ?? actor.id });
  const filter = isTeam(actor) ? { ...key } : { ...key, ...accessibleToVisitor(actor.id) };
  const update = {
    filter,
    set: { 'attributes.last_message': lastMessageOf(message) },
    increments: { bytes: bytesOf(message) - countedBytes },
  };
  const found = await updateRecord(
    Conversation,
    { ...update, fields: { ...CONVERSATION_FIELDS, bytes: 1 } },
    { session },
  );
  if (!found) return null;
  const { bytes, ...request } = found;
  assertConversationSize(bytes as number, actor);
  return { message, conversation: request as unknown as StoredConversation };
};

/**
 * Calls `buildAndSetLastMessage`, and calls it again with the correct sender name if the message contains another name.
 * The bytes of the message are counted only once.
 */
const updateWithSenderName = async (context: PostContext, session: ClientSession) => {
  const found = await buildAndSetLastMessage(context, session);
  if (!found) return null;
  const { incoming, actor } = context;
  const senderFullname = senderNameIn(found.conversation, incoming.senderFullname, actor);
  if (senderFullname === incoming.senderFullname) return found;
  const named = { ...context, incoming: { ...incoming, senderFullname } };
  return buildAndSetLastMessage(named, session, bytesOf(found.message));
};

/** Posts to an existing conversation. Returns null if it does not exist or the sender cannot access it. */
const postToExisting = (context: PostContext): Promise<PostedMessage | null> =>
  inTransaction(async (session) => {
    const found = await updateWithSenderName(context, session);
    if (!found) return null;
    const { key, actor, ids, plan, charge } = context;
    const { message, conversation } = found;
    assertSenderNamed(conversation, context.incoming, actor);
    if (isCommand(message)) assertCommandAllowed(message, conversation, actor);
    const quotaEvents = await chargeMessages(charge, key.id_project, [message]);
    const revealed = await endPreflight(conversation, { message, plan }, session);
    const effects = revealed ?? messageEffects(conversation, message, actor);
    const request = effects
      ? await applyUpdate(conversation, effects, { session, systemMessageId: ids.systemMessage })
      : conversation;
    const bot = currentBot(request.participants);
    const created = emits(['message.create', { bot, isFirstText: revealed !== null }], ...quotaEvents);
    await insertRecord(Message, message, { session, ...created });
    return { message, request };
  });

/**
 * Throws 403 if a conversation to which the message could not be posted belongs to another visitor. Passes if it was
 * deleted, or if a concurrent call of the same visitor has just opened it: opening it again then fails with a duplicate
 * key, and the next attempt posts the message to it.
 */
const assertOwnConversation = async (key: ConversationKey, actor: Actor): Promise<void> => {
  if (!isTeam(actor) && (await Conversation.exists({ ...key, $nor: accessibleToVisitor(actor.id).$or })))
    throw new AppError(403, 'NOT_OWNER', 'This conversation belongs to another visitor');
};

/**
 * Returns the message that an earlier call of the same post has stored, or null if there is none or the sender cannot
 * access the conversation. Without such a message, a duplicate key means that a removed message may have the same
 * `client_message_id`, so the removals of the conversation are completed.
 */
const findEarlierPost = async (
  { key, incoming: { client_message_id }, actor, ids, charge }: PostContext,
  error: unknown,
): Promise<PostedMessage | null> => {
  const message = await findByIdOrClientId(key, client_message_id ? { client_message_id } : { _id: ids.message });
  if (!message) {
    if (isDuplicateKey(error)) await completeRemovals(key);
    return null;
  }
  const request = await find(key);
  if (!hasAccess(request, actor)) return null;
  await charge.refund(); // the earlier call was counted toward the quotas and the byte budget
  return { message, request, isRepeated: true };
};

const knownConversations = new KnownKeys();

/** Posts to the conversation, or opens it with the message. */
const postOrOpen = async (context: PostContext): Promise<PostedMessage> => {
  const { key, incoming, actor, ids, charge } = context;
  const isFound = await knownConversations.has(lockKey(key), () => Conversation.exists({ ...key }));
  const posted = isFound ? await postToExisting(context) : null;
  if (posted) {
    await charge.refund({ requests: 1 }); // an earlier attempt may have counted a new conversation toward the quotas
    return posted;
  }
  if (isFound) await assertOwnConversation(key, actor);
  if (isCommand(incoming)) assertCommandAllowed(incoming, { participantsAgents: incoming.participants ?? [] }, actor);
  const opening = { ...incoming, first_text: requireFirstText(incoming) };
  const firstMessage = { _id: ids.message, incoming };
  const { request, message } = await openConversation(key, opening, { actor, ids, charge, firstMessage });
  knownConversations.add(lockKey(key));
  return { request, message: message as StoredMessage };
};

/** Selects operators if the message will end a preflight and the project has subscribers to `operator.select`. */
const selectPlan = async ({ key, incoming, actor }: PostContext): Promise<RoutingPlan | undefined> => {
  if (!(await findSelectors(key.id_project)).length) return undefined;
  return selectAfterPreflight(key, [{ ...incoming, sender: incoming.sender ?? actor.id }]);
};

/**
 * Posts a message to a conversation. If the conversation does not exist, it is opened, and the lead, the conversation
 * and the message are stored in one transaction. Posting again with the same `client_message_id` or `Idempotency-Key`
 * returns the stored message, even if a limit would refuse a new one; a repeat counts toward no limit.
 * Errors: 403 if the conversation belongs to another visitor, a visitor names another `sender` or a plan limit has been
 * reached, 413 or 422 if the message or the conversation exceeds a limit, 422 for a first message without text, 429 if
 * the project has used up its byte budget, and those of `openConversation`.
 */
export const post = async (key: ConversationKey, incoming: IncomingMessage, actor: Actor): Promise<PostedMessage> => {
  assertSender(incoming, actor);
  const ids = { message: newId(), request: newId(), lead: newId(), systemMessage: newId() };
  const rendered = await textRenderer(key, actor)(sanitizeIncoming(incoming, actor));
  const postCharged = (charge: QuotaCharge) => {
    const context = { key, incoming: rendered, actor, ids, charge };
    let plan: Promise<RoutingPlan | undefined> | undefined;
    const attempt = async () => {
      charge.addBytes(key.id_project, bytesOf(rendered));
      plan ??= selectPlan(context);
      return postOrOpen({ ...context, plan: await plan });
    };
    return runOrFindEarlier(attempt, (error) => findEarlierPost(context, error));
  };
  // Orders the calls in this process only. If two processes write to the same conversation, one of them retries.
  const posted = await runExclusive(lockKey(key), () => withQuota(postCharged));
  return isCommand(posted.message) ? { ...posted, request: await runCommand(posted, actor) } : posted;
};

const requestIdTakenError = ({ request_id }: ConversationKey) =>
  new AppError(409, 'ALREADY_EXISTS', `request_id: a conversation with the id ${request_id} already exists`);

/**
 * Opens a conversation without a message. Errors: 409 if the project already has a conversation with this `request_id`,
 * and those of `openConversation`.
 */
export const create = async (
  key: ConversationKey,
  input: NewConversation,
  actor: Actor,
): Promise<StoredConversation> => {
  const ids = { request: newId(), lead: newId() };
  const createCharged = (charge: QuotaCharge) => {
    const openNew = async () => (await openConversation(key, input, { actor, ids, charge })).request;
    const findCreated = async (error: unknown): Promise<StoredConversation | null> => {
      const existing = await lookUp(key);
      const isOther = existing !== null && String(existing._id) !== ids.request;
      if (isOther && isDuplicateKey(error)) throw requestIdTakenError(key);
      if (!existing || isOther) return null;
      await charge.refund(); // the earlier call was counted toward the quotas
      return existing;
    };
    return runOrFindEarlier(openNew, findCreated);
  };
  return runExclusive(lockKey(key), () => withQuota(createCharged));
};
