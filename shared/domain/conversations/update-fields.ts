/** Updates fields, attributes and the rating of a conversation. */
import { AppError } from '../../errors.ts';
import type { CONVERSATION_STATUS } from '../../models/conversation.ts';
import { FreeObject } from '../../wire/view.ts';
import * as leads from '../leads/leads.ts';
import { tagsReplacer, type TagInput } from './annotations/conversation-tags.ts';
import { type NoteInput, notesReplacer } from './annotations/notes.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  type StoredConversation,
  conversationNotFound,
  ownsConversation,
  updateConversation,
} from './conversation.ts';
import { nextStatus } from './transitions.ts';

/** A visitor's satisfaction rating. */
export interface Rating {
  /** 0 to 5. */
  rating?: number;
  rating_message?: string;
}

/** The fields of a conversation that can be updated. Absent fields are unchanged. */
export interface ConversationPatch extends Rating {
  first_text?: string;
  /** The lead's `_id`. */
  lead?: string;
  status?: (typeof CONVERSATION_STATUS)[keyof typeof CONVERSATION_STATUS];
  tags?: TagInput[];
  notes?: NoteInput[];
  sourcePage?: string;
  language?: string;
  subject?: string;
  priority?: string;
  location?: Record<string, unknown>;
  smartAssignment?: boolean;
  workingStatus?: string;
  channelName?: string;
}

const patchEvents = (patch: ConversationPatch): ConversationUpdate['events'] => {
  const events: ConversationUpdate['events'] = [
    'request.update',
    ['request.updated', { comment: 'PATCH', patch: { ...patch } }],
  ];
  if (patch.workingStatus !== undefined) events.push(['request.workingStatus.update', {}]);
  if (patch.rating !== undefined) events.push(['request.satisfaction', { patch: { ...patch } }]);
  return events;
};

/**
 * Returns a function that computes the new fields of a conversation. The lead and all new ids are determined before the
 * transaction, because a transaction may be retried.
 */
const preparePatch = async ({ id_project }: ConversationKey, patch: ConversationPatch, actor: Actor) => {
  const { lead: _id, tags, notes, status, channelName, ...fields } = patch;
  const lead = _id === undefined ? undefined : await leads.find({ id_project, _id });
  const tagsAfter = tags && tagsReplacer(tags);
  const notesAfter = notes && notesReplacer(notes, actor);
  return (before: StoredConversation): ConversationUpdate['set'] => ({
    ...fields,
    ...(lead && { lead: String(lead._id), 'snapshot.lead': lead }),
    ...(tagsAfter && { tags: tagsAfter(before) }),
    ...(notesAfter && { notes: notesAfter(before) }),
    ...(status && { status: nextStatus('patch the status', before.status, status) }),
    ...(channelName && { channel: { name: channelName } }),
  });
};

/**
 * Sets fields of a conversation. A new status changes agent loads and counters, but does not close, reopen or route the
 * conversation.
 * Errors: 403 for notes by an agent who is not a participant, 404 for an unknown conversation or lead.
 */
export const updateFields = async (
  key: ConversationKey,
  patch: ConversationPatch,
  actor: Actor,
): Promise<StoredConversation> => {
  const fieldsToSet = await preparePatch(key, patch, actor);
  const isEmpty = !Object.keys(patch).length;
  return updateConversation(key, (before) =>
    isEmpty ? null : { set: fieldsToSet(before), events: patchEvents(patch) },
  );
};

/** Rates the visitor's own conversation. Throws 404 for the conversation of another visitor. */
export const rate = (key: ConversationKey, rating: Rating, actor: Actor): Promise<StoredConversation> =>
  updateConversation(key, (before) => {
    if (!ownsConversation(before, actor)) throw conversationNotFound(key);
    return Object.keys(rating).length ? { set: { ...rating }, events: patchEvents(rating) } : null;
  });

const assertAttributesSize = ({ attributes }: StoredConversation, added: Record<string, unknown>): void => {
  const { last_message: _, ...own } = attributes ?? {};
  const { error } = FreeObject.safeParse({ ...own, ...added });
  if (error) throw new AppError(422, 'INVALID', `attributes: ${error.issues[0]?.message}`);
};

/**
 * Merges keys into the attributes of a conversation. Errors: 404 for an unknown conversation, 422 if the attributes
 * would exceed their limit.
 */
export const mergeAttributes = (
  key: ConversationKey,
  attributes: Record<string, unknown>,
): Promise<StoredConversation> => {
  const set = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, value]));
  return updateConversation(key, (before) => {
    assertAttributesSize(before, attributes);
    if (!Object.keys(set).length) return null;
    return {
      set,
      events: [
        'request.update',
        ['request.updated', { comment: 'ATTRIBUTES_PATCH', patch: attributes }],
        'request.attributes.update',
      ],
    };
  });
};
