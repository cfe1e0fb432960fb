/**
 * Copies changed and merged leads into their conversations, and posts messages about changed names and email
 * addresses.
 */
import { batchCalls } from '../../concurrency/batch-calls.ts';
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { readMany } from '../../database/raw-read.ts';
import type { EventRef } from '../../job-definitions.ts';
import { CONVERSATION_STATUS, Conversation } from '../../models/conversation.ts';
import { Lead, LeadView } from '../../models/lead.ts';
import { Message } from '../../models/message.ts';
import { Outbox } from '../../models/outbox.ts';
import { conversationKeywords } from '../../search/conversation-texts.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { findLoggedEvent } from '../events/logged-event.ts';
import { CONVERSATION_FIELDS, type StoredConversation } from './conversation.ts';
import { systemMessage } from './messages/system-messages.ts';

interface LeadRef {
  id_project: string;
  /** The lead's `_id`. */
  lead: string;
}

const readLead = ({ id_project, lead }: LeadRef) =>
  Lead.findOne({ _id: lead, id_project }, projectionOf(LeadView)).lean();

type CopiedLead = NonNullable<Awaited<ReturnType<typeof readLead>>>;

const TEXT_FIELDS = { _id: 1, __v: 1, subject: 1, first_text: 1, rating_message: 1, tags: 1, notes: 1 } as const;
const COPY_FIELDS = { ...TEXT_FIELDS, 'snapshot.lead.lead_id': 1 } as const;
const BATCH_SIZE = 500;

/**
 * Copies a lead into the conversations that match `filter`, in batches until none matches. The copy must therefore
 * change a field that the filter tests. Each conversation keeps the `lead_id` of its own visitor, because the
 * conversations of merged leads belong to different visitors. Returns the number of changed conversations.
 */
const copyInto = async (
  filter: Record<string, unknown> & { id_project: string },
  lead: CopiedLead,
  signal?: AbortSignal,
): Promise<number> => {
  for (let changed = 0; ; ) {
    signal?.throwIfAborted();
    const requests = await readMany(Conversation, filter, { fields: COPY_FIELDS, limit: BATCH_SIZE });
    if (!requests.length) return changed;
    const writes = requests.map(({ _id, __v, ...texts }) => {
      const { snapshot } = texts as { snapshot?: { lead?: { lead_id?: string } } };
      const copy = { ...lead, lead_id: snapshot?.lead?.lead_id ?? lead.lead_id };
      const keywords = conversationKeywords({ ...texts, snapshot: { lead } });
      const set = { lead: String(lead._id), 'snapshot.lead': copy, keywords };
      // The version check fails if the conversation has changed since; the next batch reads it again.
      return { updateOne: { filter: { ...filter, _id, __v }, update: { $set: set } } };
    });
    changed += (await Conversation.bulkWrite(writes, { ...emits('request.update'), ordered: false })).modifiedCount;
  }
};

/** A changed lead is copied only into its newest open and its newest closed conversations, up to these numbers. */
const MAX_OPEN_CONVERSATIONS = 500;
const MAX_CLOSED_CONVERSATIONS = 100;

const latestConversations = async (ref: LeadRef, status: object, limit: number): Promise<unknown[]> => {
  const page = { fields: { _id: 1 }, sort: { createdAt: -1 }, limit } as const;
  return (await readMany(Conversation, { ...ref, status }, page)).map(({ _id }) => _id);
};

/**
 * Emits the event reporting that a lead was copied into conversations. An event is normally stored in the record that
 * changes. Because copying does not change the lead's own record, this event gets a record of its own, in the outbox.
 */
const emitCopied = async ({ id_project, lead: record }: LeadRef, lead: CopiedLead, n: number): Promise<void> => {
  const entry = { _id: newId(), id_project, record, view: lead };
  const event = emits(['request.update.snapshot.lead', { updates: { n, nModified: n, ok: 1 } }]);
  await insertIfAbsent(() => Outbox.create([entry], event));
};

/** Copies a lead into its latest conversations. Idempotent. A newer version of the lead is never overwritten. */
export const syncLead = async (ref: LeadRef, signal?: AbortSignal): Promise<void> => {
  const lead = await readLead(ref);
  if (!lead) return;
  const open = await latestConversations(ref, { $lt: CONVERSATION_STATUS.closed }, MAX_OPEN_CONVERSATIONS);
  const closed = await latestConversations(ref, { $gte: CONVERSATION_STATUS.closed }, MAX_CLOSED_CONVERSATIONS);
  const earlier = { ...ref, 'snapshot.lead.__v': { $not: { $gte: lead.__v } } };
  const n = await copyInto({ ...earlier, _id: { $in: [...open, ...closed] } }, lead, signal);
  if (n) await emitCopied(ref, lead, n);
};

/**
 * Moves the conversations of a merged lead to the surviving lead. If the surviving lead has itself been merged into a
 * third lead, moves them on to the third lead, because the job for that merge may have run before this one.
 */
export const moveToMergedLead = async ({ id_project, lead }: LeadRef, signal?: AbortSignal): Promise<void> => {
  const merged = await readLead({ id_project, lead });
  const survivor = merged?.merged_into && (await readLead({ id_project, lead: merged.merged_into }));
  if (!survivor) return;
  const target = { id_project, lead: String(survivor._id) };
  const n = await copyInto({ id_project, lead }, survivor, signal);
  if (n) await emitCopied(target, survivor, n);
  await moveToMergedLead(target, signal);
};

/** Checks for merged leads that start within this time share one query (see `batchCalls`). */
const WINDOW_MS = 4;

/** Returns whether a lead was merged into another lead. */
const wasMerged = batchCalls(async (refs: LeadRef[]): Promise<boolean[]> => {
  const [projects, ids] = [refs.map(({ id_project }) => id_project), refs.map(({ lead }) => lead)];
  const merged = { id_project: { $in: projects }, _id: { $in: ids }, merged_into: { $type: 'string' } } as const;
  const found = await readMany(Lead, merged, { fields: { _id: 1 } });
  const foundIds = new Set(found.map(({ _id }) => String(_id)));
  return ids.map((id) => foundIds.has(id));
}, WINDOW_MS);

/** Moves a conversation to the surviving lead if its lead was merged while the conversation was being opened. */
export const moveOpenedConversation = async (event: EventRef, signal?: AbortSignal): Promise<void> => {
  const { payload } = (await findLoggedEvent(event)) ?? {};
  const lead = payload?.requester_id; // despite its name, the lead's id; `payload.lead` is a copy of the lead
  if (!isId(lead)) return;
  const ref = { id_project: event.id_project, lead };
  if (await wasMerged(ref)) await moveToMergedLead(ref, signal);
};

/** Posts a system message about a changed name or email address to the latest chat conversation of the lead. */
export const announceLeadUpdate = async (ref: LeadRef): Promise<void> => {
  const lead = await readLead(ref);
  const chat = { ...ref, 'channel.name': 'chat21' };
  const latest = await Conversation.findOne(chat, CONVERSATION_FIELDS)
    .sort({ createdAt: -1 })
    .lean<StoredConversation>();
  if (!lead || !latest) return;
  const { attributes, ...messageFields } = systemMessage(latest, 'LEAD_UPDATED');
  const changed = { updateUserEmail: lead.email, updateUserFullname: lead.fullname };
  await insertIfAbsent(() =>
    Message.create([{ ...messageFields, attributes: { ...attributes, ...changed } }], emits('message.create')),
  );
};
