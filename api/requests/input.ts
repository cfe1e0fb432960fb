/** Bodies of the verbs of conversations. */
import { z } from 'zod';
import { cut, decimal, flag, oneOfNumbers } from '#shared/lenient.ts';
import { MOST_NOTES } from '#shared/domain/conversations/notes.ts';
import { MOST_TAGS } from '#shared/domain/conversations/tagging.ts';
import { REQUEST } from '#shared/models/request.ts';
import { FreeObject, Id } from '#shared/view.ts';
import { means } from '../http/absent.ts';
import { given as present } from '../http/given.ts';
import { LIMITS } from '../limits.ts';
import { Attributes, departmentOf, given, Member, opening, text } from './fields.ts';

/** Body of opening a conversation in which nothing is said yet (contract b 1.7). */
export const NewRequest = z
  .object({
    first_text: z.string().min(1).max(LIMITS.messageText),
    request_id: given(z.string().min(1).max(LIMITS.requestId)),
    ...opening,
  })
  .transform(departmentOf);

/** Body of closing: known clients send any JSON. */
export const Closing = z.object({ force: given(flag()) });

/** Body of sending a conversation somewhere. */
export const Destination = z
  .object({
    departmentid: text(LIMITS.name).meta({ description: "The project's default one where it is absent or `default`" }),
    department: text(LIMITS.name).meta({ description: 'Other name of `departmentid`' }),
    nobot: given(flag()).meta({ description: "Past the department's bot" }),
    no_populate: given(flag()).meta({ description: 'Answer with the ids of lead and requester' }),
  })
  .transform(departmentOf);

/** Body of naming a bot: one of these. */
export const NamedBot = z.object({ id: text(LIMITS.name), name: text(LIMITS.name), slug: text(LIMITS.name) });

/** Body of letting one more take part. */
export const NewParticipant = z.object({ member: Member });

/** Body of setting who follows: ids of memberships. */
export const Followers = z.array(Member).max(LIMITS.followers);

const NoteText = z.string().max(LIMITS.noteText);

/** Body of a note; a blank one is refused by the endpoint. */
export const NewNote = z.object({ text: NoteText });

/** Body of adding tags; none is refused by the endpoint. */
export const Tags = z
  .array(z.object({ tag: z.string().trim().min(1).max(LIMITS.name), color: text(LIMITS.color) }))
  .max(MOST_TAGS);

const Score = given(decimal(0, 5));
/** A text that says nothing where it is empty. */
const filled = (most: number) => text(most).transform((words) => words || undefined);
const Words = filled(LIMITS.conversationText);
const Word = filled(LIMITS.name);

/** Body of changing attributes: keys that are laid over them, each at its own path. */
export const AttributesPatch = Attributes.refine((values) => !('' in values), 'must not have an empty key');

/** Body of a visitor's rating, under the names of the contract or those of its documentation. */
export const Rating = z
  .object({ rating: Score, rate: Score, rating_message: Words, rate_message: Words })
  .transform(({ rating, rate, rating_message, rate_message }) =>
    present({ rating: rating ?? rate, rating_message: rating_message ?? rate_message }),
  );

/** Body of changing a conversation's fields: what is empty or null leaves them as they are, but for `workingStatus` (contract b 1.8). */
export const Patch = z
  .object({
    first_text: filled(LIMITS.messageText),
    lead: Word,
    status: given(oneOfNumbers(Object.values(REQUEST))),
    tags: given(Tags),
    notes: given(z.array(z.object({ _id: Id.optional(), text: NoteText.trim().min(1) })).max(MOST_NOTES)),
    rating: Score,
    rating_message: Words,
    sourcePage: given(cut(LIMITS.conversationText)),
    language: Word,
    subject: given(cut(LIMITS.conversationText)),
    priority: Word,
    location: given(FreeObject),
    smartAssignment: given(flag()),
    workingStatus: means(text(LIMITS.name), ''),
    channelName: Word,
  })
  .transform(present);
