/** Notes of teammates on a conversation. Visitors never see them. */
import { newId } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { currentTime } from '../../../time/clock.ts';
import { type Actor, type ConversationKey, type StoredConversation, updateConversation } from '../conversation.ts';
import { assertParticipant } from '../lifecycle/close.ts';

/** Maximum number of notes per conversation. */
export const MAX_NOTES = 200;

/** A note as a caller sends it. If it has the `_id` of an existing note, it updates that note. */
export interface NoteInput {
  _id?: string;
  text: string;
}

/**
 * Returns a function that computes the new notes of a conversation. Existing notes keep their author. The function
 * throws 403 for an agent who is not a participant.
 */
export const notesReplacer = (input: NoteInput[], actor: Actor) => {
  const prepared = input.map(({ _id: existingId, text }) => ({
    existingId,
    created: { _id: newId(), createdBy: actor.id },
    text,
  }));
  return (before: StoredConversation) => {
    assertParticipant(before, actor);
    const now = currentTime();
    return prepared.map(({ existingId, created, text }) => {
      const existing = before.notes.find(({ _id }) => String(_id) === existingId);
      return existing?.text === text ? existing : { ...created, createdAt: now, ...existing, text, updatedAt: now };
    });
  };
};

/** Adds a note. Errors: 403 for an agent who is not a participant, 422 if the conversation has too many notes. */
export const add = (key: ConversationKey, text: string, actor: Actor) => {
  const note = { _id: newId(), text, createdBy: actor.id };
  return updateConversation(key, (before) => {
    assertParticipant(before, actor);
    if (before.notes.some(({ _id }) => String(_id) === note._id)) return null; // stored by an earlier attempt
    if (before.notes.length >= MAX_NOTES)
      throw new AppError(
        422,
        'INVALID',
        `notes: a conversation can have at most ${MAX_NOTES} notes; remove some first`,
      );
    const now = currentTime();
    return {
      set: { notes: [...before.notes, { ...note, createdAt: now, updatedAt: now }] },
      events: ['request.update', ['request.updated', { comment: 'NOTE_ADD', patch: { note } }]],
    };
  });
};

/** Removes a note. Removing an absent note changes nothing. Throws 403 for an agent who is not a participant. */
export const remove = (key: ConversationKey, id: string, actor: Actor) =>
  updateConversation(key, (before) => {
    assertParticipant(before, actor);
    const notes = before.notes.filter(({ _id }) => String(_id) !== id);
    if (notes.length === before.notes.length) return null;
    const patch = { note: { _id: id } };
    return { set: { notes }, events: ['request.update', ['request.updated', { comment: 'NOTE_DELETE', patch }]] };
  });
