/** What teammates note on a conversation for themselves (contract b 1.14): no visitor is shown it. */
import { newId } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { refuseBystander } from './closing.ts';
import { type Conversation, change, type Speaker, type StoredRequest } from './requests.ts';

/** Most notes of one conversation. */
export const MOST_NOTES = 200;

/** A note as it comes in: under the `_id` of one that is there, it is that one. */
export interface GivenNote {
  _id?: string;
  text: string;
}

/** Puts these in the place of a conversation's notes; one that stays keeps its author. 403 for an agent who takes no part. */
export const replacing = (given: GivenNote[], by: Speaker) => {
  const made = given.map(({ _id: was, text }) => ({ was, fresh: { _id: newId(), createdBy: by.id }, text }));
  return (before: StoredRequest) => {
    refuseBystander(before, by);
    const now = new Date();
    return made.map(({ was, fresh, text }) => {
      const known = before.notes.find(({ _id }) => String(_id) === was);
      return known?.text === text ? known : { ...fresh, createdAt: now, ...known, text, updatedAt: now };
    });
  };
};

/** Add a note. Errors: 403 for an agent who takes no part in the conversation, 422 where it has too many. */
export const add = (where: Conversation, text: string, by: Speaker) => {
  const note = { _id: newId(), text, createdBy: by.id };
  return change(where, (before) => {
    refuseBystander(before, by);
    if (before.notes.some(({ _id }) => String(_id) === note._id)) return null; // an earlier try of the call
    if (before.notes.length >= MOST_NOTES)
      throw new AppError(422, 'INVALID', `notes: a conversation has at most ${MOST_NOTES}`);
    const now = new Date();
    return {
      set: { notes: [...before.notes, { ...note, createdAt: now, updatedAt: now }] },
      tells: ['request.update', ['request.updated', { comment: 'NOTE_ADD', patch: { note } }]],
    };
  });
};

/** Remove a note; where there is none of that id, nothing changes. */
export const remove = (where: Conversation, id: string, by: Speaker) =>
  change(where, (before) => {
    refuseBystander(before, by);
    const notes = before.notes.filter(({ _id }) => String(_id) !== id);
    return notes.length === before.notes.length ? null : { set: { notes }, tells: ['request.update'] };
  });
