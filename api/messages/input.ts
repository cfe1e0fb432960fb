/**
 * Request bodies for messages. A first message may also contain the fields of a new conversation, which
 * `POST /requests` accepts as well.
 */
import { z } from 'zod';
import { MAX_PARTICIPANTS } from '#shared/domain/conversations/participants.ts';
import { flag, integer, optional, optionalText, truncatedText } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** Id of a participant: a user id, or `bot_` followed by the id of a bot. */
export const MemberId = z.string().min(1).max(INPUT_LIMITS.visitorId);
export const MemberIds = z.array(MemberId).max(MAX_PARTICIPANTS);

const optionalName = optionalText(INPUT_LIMITS.name);

/** Attributes that only the server sets. They record the history of a conversation, and routing reads some of them. */
const RESERVED_ATTRIBUTES = new Set(['last_message', 'abandoned_by_project_users', 'fully_abandoned']);

/** Attributes of a conversation; reserved keys are ignored. */
export const ConversationAttributes = FreeObject.transform((values) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !RESERVED_ATTRIBUTES.has(key))),
);

/**
 * Fields of a new conversation, both in `POST /requests` and in a first message, which opens a conversation.
 * `senderFullname` and `email` become the name and email of the lead.
 */
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

/** Fields of every message, whether posted, imported or direct. */
const messageFields = {
  text: optionalText(INPUT_LIMITS.messageText),
  type: optionalText(INPUT_LIMITS.name),
  metadata: optional(FreeObject),
  status: optional(integer()),
};

const clientIdField = {
  client_message_id: optional(z.string().min(1).max(INPUT_LIMITS.name)).meta({
    description:
      'Id that the client chooses for the message. A repeated call with the same id returns the stored message',
  }),
};

/** The message types whose content is at the URL `metadata.src`, with the name of the content in error messages. */
const MEDIA_TYPES: Record<string, string> = { image: 'the image', frame: 'the frame', file: 'the file' };

const isWebAddress = (src: unknown): boolean => {
  const url = typeof src === 'string' ? URL.parse(src) : null;
  return url?.protocol === 'http:' || url?.protocol === 'https:';
};

/** Requires an http or https URL in messages with a type in MEDIA_TYPES, because clients embed the URL in pages. */
const checkMediaAddress = (
  { type = '', metadata }: { type?: string; metadata?: Record<string, unknown> },
  context: z.RefinementCtx,
): void => {
  const mediaName = Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined;
  if (!mediaName) return;
  if (!metadata)
    context.addIssue({
      code: 'custom',
      path: ['metadata'],
      message: `is required: metadata.src must hold the URL of ${mediaName}`,
    });
  else if (!isWebAddress(metadata.src))
    context.addIssue({
      code: 'custom',
      path: ['metadata', 'src'],
      message: 'must be an absolute http:// or https:// URL',
    });
};

/** Request body for a message. The conversation fields take effect only if the message opens the conversation. */
export const MessageInput = z
  .object({
    ...messageFields,
    ...clientIdField,
    preflight: optional(flag()),
    request_status: optional(integer()),
    ...conversationFields,
  })
  .superRefine(checkMediaAddress)
  .transform(withDepartment);

/** The latest date with a four-digit year. */
const MAX_TIMESTAMP_MS = Date.parse('9999-12-31T23:59:59.999Z');
const Timestamp = integer(0, MAX_TIMESTAMP_MS);

const checkClientTimestamp = (
  { attributes }: { attributes?: Record<string, unknown> },
  context: z.RefinementCtx,
): void => {
  const timestamp = attributes?.clienttimestamp;
  if (timestamp !== undefined && !Timestamp.safeParse(timestamp).success)
    context.addIssue({
      code: 'custom',
      path: ['attributes', 'clienttimestamp'],
      message: 'must be a Unix time in milliseconds',
    });
};

const ImportedMessage = z
  .object({
    ...messageFields,
    ...clientIdField,
    sender: optional(MemberId),
    senderFullname: conversationFields.senderFullname,
    language: conversationFields.language,
    channel: conversationFields.channel,
    attributes: conversationFields.attributes.meta({
      description: '`clienttimestamp`: Unix time of the message in milliseconds',
    }),
  })
  .superRefine(checkMediaAddress)
  .superRefine(checkClientTimestamp);

/** Rejects a `client_message_id` that occurs twice in one call. */
const checkUniqueClientIds = (messages: { client_message_id?: string }[], context: z.RefinementCtx): void => {
  const ids = new Set<string>();
  messages.forEach(({ client_message_id: id }, index) => {
    if (id === undefined) return;
    if (ids.has(id))
      context.addIssue({
        code: 'custom',
        path: [index, 'client_message_id'],
        message: 'must be unique within the call',
      });
    ids.add(id);
  });
};

/** Request body for an import of messages. */
export const ImportInput = z
  .array(ImportedMessage)
  .min(1)
  .max(INPUT_LIMITS.importedMessages)
  .superRefine(checkUniqueClientIds);

/** Request body for a direct message, or for a message to an existing conversation. */
export const ProjectMessageInput = z
  .object({
    ...messageFields,
    recipient: z.string().min(1).max(INPUT_LIMITS.conversationId),
    recipientFullname: z.string().min(1).max(INPUT_LIMITS.name),
    channel_type: optional(z.enum(['direct', 'group'])).meta({ description: 'Default `direct`' }),
    sender: optional(MemberId),
    senderFullname: conversationFields.senderFullname,
    language: conversationFields.language,
    channel: conversationFields.channel,
    attributes: conversationFields.attributes,
  })
  .superRefine(checkMediaAddress)
  .refine(({ text, type = 'text' }) => text || type !== 'text', {
    path: ['text'],
    error: 'is required in a message of type text',
  });
