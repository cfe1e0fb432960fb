/** Stores the messages of an import, and describes an import that was interrupted. */
import { emits } from '../../../events.ts';
import { insertMissingRecords } from '../../../database/raw-write.ts';
import { AppError } from '../../../errors.ts';
import { logger } from '../../../logger.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { compatibility } from '../../../wire/compatibility.ts';
import { chargeMessages, type QuotaCharge } from '../../quotas/charge.ts';
import { type Actor, type ConversationKey, conversationNotFound } from '../conversation.ts';
import { completeRemovals } from '../lifecycle/delete.ts';
import { lastMessageOf } from '../messages/message-limits.ts';
import { findByClientIds, messagesOf, type StoredMessage } from '../messages/messages.ts';

const INSERT_BATCH_SIZE = 500;

/** The messages of one import. */
export interface ImportBatch {
  key: ConversationKey;
  actor: Actor;
  messages: StoredMessage[];
  /** Whether the messages are few and recent, so that each emits its own event. */
  isRecent: boolean;
}

/** Returns the time of a message in epoch milliseconds. */
export const timeOf = ({ createdAt }: StoredMessage): number => (createdAt as Date).getTime();

const clientIdsOf = (messages: StoredMessage[]): string[] =>
  messages.map(({ client_message_id }) => client_message_id as string);

const latestOf = (messages: StoredMessage[]): StoredMessage =>
  messages.reduce((last, message) => (timeOf(message) >= timeOf(last) ? message : last));

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

/** Inserts the missing messages in batches, and returns their number. */
const insertMessages = async ({ key, messages, isRecent }: ImportBatch, charge: QuotaCharge): Promise<number> => {
  const quotaEvents = await chargeMessages(charge, key.id_project, messages);
  const events = isRecent ? emits('message.create', ...quotaEvents) : {};
  let inserted = 0;
  for (let start = 0; start < messages.length; start += INSERT_BATCH_SIZE)
    inserted += await insertMissingRecords(Message, messages.slice(start, start + INSERT_BATCH_SIZE), events);
  return inserted;
};

/**
 * Stores the missing messages in batches, then updates the conversation. This is not one transaction, because after a
 * crash, an open transaction would block the conversation for a minute. An interrupted import updates the conversation
 * only when it is sent again.
 * Errors: 403 if a plan limit has been reached, 404 if the conversation has been deleted.
 */
export const storeMissing = async (batch: ImportBatch, charge: QuotaCharge): Promise<StoredMessage[]> => {
  const { key, messages } = batch;
  await completeRemovals(key);
  const inserted = await insertMessages(batch, charge);
  const stored = await findByClientIds(
    key,
    clientIdsOf(compatibility.importReturnsAll ? messages : [latestOf(messages)]),
  );
  const last = stored.at(-1); // undefined if the conversation was deleted in the meantime
  if (last && (await updateLastMessage(batch, last))) {
    // The call that stored a message has counted it toward the quotas, so it is not counted again.
    await charge.refund({ messages: messages.length - inserted });
    return stored;
  }
  await Message.deleteMany({ ...messagesOf(key), client_message_id: { $in: clientIdsOf(messages) } });
  throw conversationNotFound(key);
};

/**
 * Returns a 503 that lists the stored messages if an unexpected error occurs after some messages were stored.
 * Otherwise, returns the error unchanged.
 */
export const partiallyStoredError = async ({ key, messages }: ImportBatch, error: unknown): Promise<unknown> => {
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
