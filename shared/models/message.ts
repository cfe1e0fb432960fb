import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { wordsOf } from '../search/words.ts';
import { Id, maybe, Time } from '../view.ts';
import { worded } from './plugins/worded.ts';
import { Channel, Free, RequestView, VisitorRequestView } from './request.ts';

/** How far a message has come (contract b 4). */
export const MESSAGE = { failed: -100, sending: 0, sent: 100, delivered: 150, received: 200, seen: 300 } as const;

/** Who speaks where no person or bot does (contract b 0.5). */
export const SYSTEM = { sender: 'system', senderFullname: 'Bot' } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The conversation's `request_id`; of a direct message the user's id. */
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
    status: { type: Number, default: MESSAGE.sending },
    /** The client's own name of the message: a second one of that name is the same message. */
    client_message_id: String,
    /** By which it is found. */
    words: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  kept,
);
worded(schema, ({ text }) => (typeof text === 'string' ? { words: wordsOf(text) } : {}));
schema.index({ id_project: 1, recipient: 1, createdAt: 1, _id: 1 });
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index(
  { id_project: 1, recipient: 1, client_message_id: 1 },
  { unique: true, partialFilterExpression: { client_message_id: { $exists: true } } },
);
schema.index({ id_project: 1, words: 1, _id: -1 });

/** What somebody said in a conversation (contract b 3). */
export const Message = collection('messages', schema);

/** A message on the wire (contract b 3.1). */
export const MessageView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  recipient: z.string(),
  recipientFullname: maybe(z.string()),
  sender: z.string(),
  senderFullname: maybe(z.string()),
  text: maybe(z.string()),
  type: z.string(),
  metadata: maybe(Free),
  attributes: maybe(Free),
  language: maybe(z.string()),
  channel: Channel,
  channel_type: z.string(),
  status: z.number(),
  client_message_id: maybe(z.string()),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** A message with its conversation: the answer of posting one. */
export const PostedMessageView = MessageView.extend({ request: maybe(RequestView) });

/** What events of messages tell: the conversation without notes, its attributes bounded (`_left_out` names the keys that are left out). */
export const MessageEventView = MessageView.extend({ request: maybe(RequestView.omit({ notes: true })) });

/** What the visitor of a conversation may see of a message; of a private one nothing at all (decision 57). Parsing leaves out the rest. */
export const VisitorMessageView = MessageView.strip();

/** The same with the visitor's side of the conversation. */
export const VisitorPostedMessageView = VisitorMessageView.extend({ request: maybe(VisitorRequestView) });

/** True for a message between teammates: no visitor is shown it anywhere (decision 57). */
export const isPrivate = ({ attributes }: { attributes?: unknown }): boolean =>
  (attributes as { subtype?: unknown } | null | undefined)?.subtype === 'private';
