/** Views of the people in a conversation: what replies and events contain about them. */
import { z } from 'zod';
import { Id, optionalField, Time } from '../wire/view.ts';
import { TeammateUpdatedView } from './project-user.ts';

/** The id and the name of a person. */
export const PersonName = z.strictObject({
  _id: Id,
  firstname: optionalField(z.string()),
  lastname: optionalField(z.string()),
});

/** A participating teammate in the team's view. */
export const Participant = PersonName.extend({
  email: z.string(),
  emailverified: z.boolean(),
  createdAt: Time,
  updatedAt: Time,
});

/**
 * The membership of the requester (the person who contacted the team), with the account; in conversations that older
 * versions stored, some fields are absent.
 */
export const Requester = TeammateUpdatedView.partial().extend({
  _id: Id,
  id_project: z.string(),
  role: z.string(),
  id_user: optionalField(Participant.partial().extend({ _id: Id })),
});

/**
 * A teammate that routing considered, with the account. Those after the first 20, and all in some replies, have only
 * ids and a role.
 */
export const ConversationAgent = TeammateUpdatedView.omit({ attributes: true, settings: true })
  .partial()
  .extend({ _id: Id, role: z.string(), id_user: Participant.partial().extend({ _id: Id }) });
