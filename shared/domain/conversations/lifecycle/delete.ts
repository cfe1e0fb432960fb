/** Deletes conversations and their messages. */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../../database/connection.ts';
import { emits } from '../../../events.ts';
import { readMany } from '../../../database/raw-read.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { MessageRemoval } from '../../../models/message-removal.ts';
import { Outbox } from '../../../models/outbox.ts';
import { enqueue } from '../../../queue/queue.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import { isId } from '../../../wire/view.ts';
import { releaseReservations } from '../../routing/reservations.ts';
import {
  CONVERSATION_FIELDS,
  type ConversationKey,
  type StoredConversation,
  teamView,
  conversationNotFound,
} from '../conversation.ts';
import { countChange } from '../counters.ts';
import { removalFilter } from '../messages/message-pages.ts';
import { messagesOf, NOT_PRIVATE, PRIVATE } from '../messages/messages.ts';

/** Maximum number of messages in a batch. A transaction deletes at most twice as many. */
const DELETE_BATCH_SIZE = 1000;

type ConversationRef = { id_project: string } & ({ request_id: string } | { _id: string });

/** Deletes a conversation, emits `request.delete` and releases its reservations. Returns its last state. */
const deleteStored = async (ref: ConversationRef, session: ClientSession) => {
  const request = await Conversation.findOneAndDelete(ref, {
    session,
    projection: CONVERSATION_FIELDS,
  }).lean<StoredConversation>();
  if (!request) throw conversationNotFound({ request_id: 'request_id' in ref ? ref.request_id : ref._id });
  await releaseReservations(request, request.participantsAgents, session);
  await countChange(request, null, session);
  const view = await teamView(request);
  const deleted = { id_project: ref.id_project, record: String(request._id), view };
  await Outbox.create([deleted], { session, ...emits('request.delete') });
  return view;
};

/** Returns the time up to which messages are removed: now, or the time of the newest message if it is in the future. */
const removalTimeOf = async (key: ConversationKey, session: ClientSession): Promise<Date> => {
  const sort = { createdAt: -1 } as const;
  const newest = await Message.findOne(messagesOf(key), { createdAt: 1 }, { session, sort }).lean();
  return new Date(Math.max(currentTimeMs(), newest?.createdAt.getTime() ?? 0));
};

/**
 * Deletes the messages of a conversation. If there are too many for one transaction, stores a removal, which hides them
 * until a job has deleted them, and returns the id of the removal. A reader that finds only a few messages does not
 * look up removals (see `readMessagePage`), so messages that are not private are deleted immediately if there are at
 * most DELETE_BATCH_SIZE of them. Messages that contain a command (`isCommand`) are counted among them, although public
 * transcripts omit them; a conversation has too few of these to make a difference.
 */
const deleteOrHideMessages = async (key: ConversationKey, session: ClientSession): Promise<string | undefined> => {
  const deleteIfFew = async (filter: ReturnType<typeof messagesOf>): Promise<boolean> => {
    const count = await Message.countDocuments(filter, { session, limit: DELETE_BATCH_SIZE + 1 });
    if (count <= DELETE_BATCH_SIZE) await Message.deleteMany(filter, { session });
    return count <= DELETE_BATCH_SIZE;
  };
  const all = messagesOf(key);
  if (await deleteIfFew(all)) return undefined;
  if ((await deleteIfFew({ ...all, ...NOT_PRIVATE })) && (await deleteIfFew(all))) return undefined;
  const { id_project, request_id } = key;
  const [removal] = await MessageRemoval.create([{ id_project, request_id, upTo: await removalTimeOf(key, session) }], {
    session,
  });
  return String(removal?._id);
};

/**
 * Deletes a conversation and its messages. If there are too many messages for one transaction, they are hidden, and a
 * job deletes them. Returns the last state of the conversation. Throws 404 for an unknown conversation.
 */
export const remove = async (key: ConversationKey) => {
  const { deleted, removal } = await inTransaction(async (session) => ({
    deleted: await deleteStored(key, session),
    removal: await deleteOrHideMessages(key, session),
  }));
  if (removal) await enqueue('bulk.remove-messages', { id_project: key.id_project, removal });
  return deleted;
};

/**
 * Deletes the messages of a removal in batches, private ones first. The last batch and the removal are deleted in one
 * transaction. Before that, more than DELETE_BATCH_SIZE messages remain, of which none or more than DELETE_BATCH_SIZE
 * are not private. Every reader therefore finds too many to be read without looking up removals (see
 * `readMessagePage`).
 */
export const removeMessages = async (id_project: string, _id: string): Promise<void> => {
  const removal = await MessageRemoval.findOne({ id_project, _id }).lean();
  if (!removal) return;
  const removed = { id_project, ...removalFilter(removal) };
  let hasPrivate = true;
  for (;;) {
    const sort = { createdAt: 1, _id: 1 } as const;
    const found = await readMany(Message, removed, { fields: { _id: 1 }, sort, limit: 2 * DELETE_BATCH_SIZE + 1 });
    if (found.length <= 2 * DELETE_BATCH_SIZE) break;
    const page = { fields: { _id: 1 }, sort, limit: DELETE_BATCH_SIZE } as const;
    const privates: typeof found = hasPrivate ? await readMany(Message, { ...removed, ...PRIVATE }, page) : [];
    // No index finds private messages, so they are not searched for again after a batch that is not full.
    hasPrivate = privates.length === DELETE_BATCH_SIZE;
    const batch = (privates.length ? privates : found.slice(0, DELETE_BATCH_SIZE)).map(({ _id }) => _id);
    // Another run may have completed the removal; messages that were stored since then must not be deleted.
    if (!(await MessageRemoval.exists({ id_project, _id }))) return;
    await Message.deleteMany({ id_project, _id: { $in: batch } });
  }
  await inTransaction(async (session) => {
    const { deletedCount } = await MessageRemoval.deleteOne({ id_project, _id }, { session });
    if (deletedCount) await Message.deleteMany(removed, { session });
  });
};

/**
 * Deletes the messages of a conversation whose removal is pending, without waiting for the job. Must be called before
 * an import into a new conversation with the same id: the removal would also delete imported messages with times up to
 * its `upTo`, and removed messages may have the same `client_message_id`s as imported ones. For the second reason, must
 * also be called when a post fails with a duplicate key.
 */
export const completeRemovals = async ({ id_project, request_id }: ConversationKey): Promise<void> => {
  for (const { _id } of await MessageRemoval.find({ id_project, request_id }, { _id: 1 }).lean())
    await removeMessages(id_project, String(_id));
};

/** Finds, in all projects, the unfinished removals whose `upTo` has passed. */
export const findPendingRemovals = async (): Promise<{ id_project: string; removal: string }[]> => {
  const removals = await MessageRemoval.find(
    { upTo: { $lte: currentTime() } },
    { id_project: 1 },
    { anyProject: true },
  ).lean();
  return removals.map(({ id_project, _id }) => ({ id_project, removal: String(_id) }));
};

/** Deletes a conversation by its `_id`, but not its messages. Throws 404 for an unknown conversation. */
export const removeRecord = async (id_project: string, _id: string): Promise<void> => {
  if (!isId(_id)) throw conversationNotFound({ request_id: _id });
  await inTransaction((session) => deleteStored({ id_project, _id }, session));
};
