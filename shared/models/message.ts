import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { searchKeywords } from '../database/plugins/search-keywords.ts';
import { extractKeywords } from '../search/words.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';
import { AnyObject, Channel, ConversationView, VisitorConversationView } from './conversation.ts';

/** The delivery statuses of a message. `delivered`: passed on to the recipient; `received`: accepted by its client. */
export const MESSAGE_STATUS = {
  failed: -100,
  sending: 0,
  sent: 100,
  delivered: 150,
  received: 200,
  seen: 300,
} as const;

/** The sender of system messages. Deployed clients expect these two values. */
export const SYSTEM_SENDER = { sender: 'system', senderFullname: 'Bot' } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The conversation's `request_id`; for a direct message, the id of a teammate, bot, lead or visitor. */
    recipient: { type: String, required: true },
    recipientFullname: String,
    sender: { type: String, required: true },
    senderFullname: String,
    text: String,
    type: { type: String, default: 'text' },
    metadata: Schema.Types.Mixed,
    attributes: Schema.Types.Mixed,
    language: String,
    channel: { name: { type: String, default: 'chat21' } },
    channel_type: { type: String, default: 'group' },
    status: { type: Number, default: MESSAGE_STATUS.sending },
    /** Id chosen by the client; a second message with the same id and recipient is not stored. */
    client_message_id: String,
    /** Search keywords. */
    keywords: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
searchKeywords(schema, ({ text }) => (typeof text === 'string' ? { keywords: extractKeywords(text) } : {}));
schema.index({ id_project: 1, recipient: 1, createdAt: 1, _id: 1 });
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index(
  { id_project: 1, recipient: 1, client_message_id: 1 },
  { unique: true, partialFilterExpression: { client_message_id: { $exists: true } } },
);
schema.index({ id_project: 1, keywords: 1, _id: -1 });

/** Messages of conversations, and direct messages. */
export const Message = collection('messages', schema);

/** A message on the wire. */
export const MessageView = view('Message', {
  _id: Id,
  id_project: z.string(),
  recipient: z.string(),
  recipientFullname: optionalField(z.string()),
  sender: z.string(),
  senderFullname: optionalField(z.string()),
  text: optionalField(z.string()),
  type: z.string(),
  metadata: optionalField(AnyObject),
  attributes: optionalField(AnyObject),
  language: optionalField(z.string()),
  channel: Channel,
  channel_type: z.string(),
  status: z.number(),
  client_message_id: optionalField(z.string()),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** A message with its conversation: the reply to a call that posts the message. */
export const PostedMessageView = MessageView.extend({ request: optionalField(ConversationView) }).meta({
  id: 'PostedMessage',
});

/**
 * The event payload of a message: the message with its conversation. The conversation's notes are omitted, and its
 * attributes are limited in size (`_left_out` lists the dropped keys).
 */
export const MessageEventView = MessageView.extend({
  request: optionalField(ConversationView.omit({ notes: true })),
}).meta({ id: 'MessageEvent' });

/**
 * A message in the visitor's view: it has the fields of `MessageView`, and parsing drops any others. Visitors never see
 * private messages.
 */
export const VisitorMessageView = MessageView.strip().meta({ id: 'VisitorMessage' });

/** A posted message with its conversation, in the visitor's view. */
export const VisitorPostedMessageView = VisitorMessageView.extend({
  request: optionalField(VisitorConversationView),
}).meta({ id: 'VisitorPostedMessage' });

/** Whether a message is private to the team and hidden from visitors. */
export const isPrivate = ({ attributes }: { attributes?: unknown }): boolean =>
  (attributes as { subtype?: unknown } | null | undefined)?.subtype === 'private';
