/** Request fields that new messages and new conversations share. */
import { z } from 'zod';
import { MAX_PARTICIPANTS } from '#shared/domain/conversations/participants.ts';
import { optional, optionalText, truncatedText } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** Id of a participant: a user id, or `bot_` followed by the id of a bot. */
export const MemberId = z.string().min(1).max(INPUT_LIMITS.visitorId);
export const MemberIds = z.array(MemberId).max(MAX_PARTICIPANTS);

const optionalName = optionalText(INPUT_LIMITS.name);

/** Attributes that only the service sets: they record what happened to a conversation, and routing reads them. */
const RESERVED_ATTRIBUTES = new Set(['last_message', 'abandoned_by_project_users', 'fully_abandoned']);

/** Attributes of a conversation; reserved keys are ignored. */
export const ConversationAttributes = FreeObject.transform((values) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !RESERVED_ATTRIBUTES.has(key))),
);

/** Fields of a new conversation. Both POST `/requests` and a first message, which opens a conversation, accept them. */
export const conversationFields = {
  sender: optional(MemberId),
  senderFullname: optionalName,
  email: optionalText(INPUT_LIMITS.email),
  department: optionalName,
  departmentid: optionalName.meta({ description: 'Alias of `department`' }),
  subject: optional(truncatedText(INPUT_LIMITS.conversationText)),
  sourcePage: optional(truncatedText(INPUT_LIMITS.conversationText)),
  language: optionalName,
  userAgent: optional(truncatedText(INPUT_LIMITS.conversationText)),
  priority: optionalName,
  channel: optional(z.object({ name: z.string().min(1).max(INPUT_LIMITS.name) })),
  location: optional(FreeObject),
  attributes: optional(ConversationAttributes),
  participants: optional(MemberIds),
  followers: optional(z.array(MemberId).max(INPUT_LIMITS.followers)),
};

/** Moves the value of the alias `departmentid` to `department`, which takes precedence. */
export const withDepartment = <Fields extends { department?: string; departmentid?: string }>({
  department,
  departmentid,
  ...rest
}: Fields) => ({ ...rest, department: department ?? departmentid });
