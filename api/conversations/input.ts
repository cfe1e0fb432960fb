/** Request bodies of the conversation endpoints. */
import { z } from 'zod';
import { MAX_TAGS_PER_CONVERSATION } from '#shared/domain/conversations/annotations/conversation-tags.ts';
import { MAX_NOTES } from '#shared/domain/conversations/annotations/notes.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { decimal, flag, oneOfNumbers, optional, optionalText, truncatedText } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject, Id } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { ConversationAttributes, conversationFields, MemberId, withDepartment } from '../messages/input.ts';

/** Request body that opens a conversation without messages: `first_text` is stored only as a field of it. */
export const NewConversation = z
  .object({
    first_text: z.string().min(1).max(INPUT_LIMITS.messageText),
    request_id: optional(z.string().min(1).max(INPUT_LIMITS.conversationId)),
    ...conversationFields,
  })
  .transform(withDepartment);

/** Request body that closes a conversation. Other fields are ignored, because deployed clients send arbitrary JSON. */
export const CloseInput = z.object({ force: optional(flag()) });

/** Request body that moves or assigns a conversation. */
export const DepartmentTarget = z
  .object({
    departmentid: optionalText(INPUT_LIMITS.name).meta({
      description: 'If absent or `default`: the default department of the project',
    }),
    department: optionalText(INPUT_LIMITS.name).meta({ description: 'Alias of `departmentid`' }),
    nobot: optional(flag()).meta({ description: "`true`: skip the department's bot" }),
    no_populate: optional(flag()).meta({ description: '`true`: return the lead, requester and department as ids' }),
  })
  .transform(withDepartment);

/** Request body that identifies a bot by its id, name or slug. */
export const BotRef = z.object({
  id: optionalText(INPUT_LIMITS.name),
  name: optionalText(INPUT_LIMITS.name),
  slug: optionalText(INPUT_LIMITS.name),
});

/** Request body that adds a participant or a follower. */
export const MemberInput = z.object({ member: MemberId });

/** Request body that replaces the followers: a list of membership ids. */
export const FollowersInput = z.array(MemberId).max(INPUT_LIMITS.followers);

const NoteText = z.string().max(INPUT_LIMITS.noteText);

/** Request body of a note. The endpoint rejects a blank text with 400. */
export const NewNote = z.object({ text: NoteText });

/** Request body that adds tags. The endpoint rejects an empty list with 400. */
export const TagsInput = z
  .array(z.object({ tag: z.string().trim().min(1).max(INPUT_LIMITS.name), color: optionalText(INPUT_LIMITS.color) }))
  .max(MAX_TAGS_PER_CONVERSATION);

const RatingScore = optional(decimal(0, 5));
/** Schema of a string that is treated as absent if it is empty. */
const nonEmptyText = (maxLength: number) => optionalText(maxLength).transform((value) => value || undefined);
const LongText = nonEmptyText(INPUT_LIMITS.conversationText);
const ShortText = nonEmptyText(INPUT_LIMITS.name);

/** Request body that merges attributes: each key replaces the attribute with the same name. */
export const AttributesPatch = ConversationAttributes.refine((values) => !('' in values), 'must not have an empty key');

/** Request body of a rating. Clients send `rating` and `rating_message`, or `rate` and `rate_message`. */
export const RatingInput = z
  .object({ rating: RatingScore, rate: RatingScore, rating_message: LongText, rate_message: LongText })
  .transform(({ rating, rate, rating_message, rate_message }) =>
    omitNullish({ rating: rating ?? rate, rating_message: rating_message ?? rate_message }),
  );

/** Request body that updates a conversation. Null and empty fields are ignored, except an empty `workingStatus`. */
export const ConversationPatch = z
  .object({
    first_text: nonEmptyText(INPUT_LIMITS.messageText),
    lead: ShortText,
    status: optional(oneOfNumbers(Object.values(CONVERSATION_STATUS))),
    tags: optional(TagsInput),
    notes: optional(z.array(z.object({ _id: Id.optional(), text: NoteText.trim().min(1) })).max(MAX_NOTES)),
    rating: RatingScore,
    rating_message: LongText,
    sourcePage: optional(truncatedText(INPUT_LIMITS.conversationText)),
    language: ShortText,
    subject: optional(truncatedText(INPUT_LIMITS.conversationText)),
    priority: ShortText,
    location: optional(FreeObject),
    smartAssignment: optional(flag()),
    workingStatus: acceptEmpty(optionalText(INPUT_LIMITS.name), ''),
    channelName: ShortText,
  })
  .transform(omitNullish);
