/** Messages: what was said in a conversation, and to whom it is shown. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { notFound } from '../../errors.ts';
import { isPrivate, Message, MessageView, VisitorMessageView } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import {
  type Conversation,
  FIELDS as REQUEST_FIELDS,
  isTeam,
  ofVisitor,
  forVisitor as requestForVisitor,
  type Speaker,
  type StoredRequest,
  show,
  visitorOf,
} from './requests.ts';

export type StoredMessage = z.input<typeof MessageView>;

/** What is hidden from visitors, as a filter: the same rule as `isPrivate`. */
export const NOT_PRIVATE = { 'attributes.subtype': { $ne: 'private' } };

/** What the visitor may see of a message; nothing of a private one (decision 57). */
export const forVisitor = (message: StoredMessage) =>
  isPrivate(message) ? undefined : VisitorMessageView.parse(message);

const ALL = fieldsOf(MessageView);

/** A message of a conversation under its id or the name its client gave it. */
export const findAny = async (
  { id_project, request_id }: Conversation,
  which: { _id: string } | { client_message_id: string },
): Promise<StoredMessage | null> =>
  (await readOne(Message, { id_project, recipient: request_id, ...which }, ALL)) as StoredMessage | null;

/** The messages of a conversation that somebody may see; null for a visitor that takes no part in it. */
const visibleTo = async ({ id_project, request_id }: Conversation, by: Speaker) => {
  const said = { id_project, recipient: request_id };
  if (isTeam(by)) return said;
  const own = await Request.exists({ id_project, request_id, ...ofVisitor(by.id) });
  return own ? { ...said, ...NOT_PRIVATE } : null;
};

/** What somebody sees of a message that it may see. */
const seenBy = (by: Speaker) => (isTeam(by) ? (message: StoredMessage) => message : VisitorMessageView.parse);

/** All messages of a conversation in their order, as far as the caller may see them; none of an unknown one. */
export const list = async (where: Conversation, by: Speaker) => {
  const filter = await visibleTo(where, by);
  if (!filter) return [];
  const sort = { createdAt: 1, _id: 1 } as const;
  const messages = (await readMany(Message, filter, { fields: ALL, sort })) as StoredMessage[];
  return messages.map((message) => seenBy(by)(message));
};

/** One message of a conversation, or 404; what the caller may not see is not there. */
export const find = async (where: Conversation, id: string, by: Speaker) => {
  const filter = isId(id) && (await visibleTo(where, by));
  const message = filter ? await readOne(Message, { _id: id, ...filter }, ALL) : null;
  if (!message) throw notFound('Message not found');
  return seenBy(by)(message as StoredMessage);
};

const requestsOf = async (messages: StoredMessage[]) => {
  const projects = [...new Set(messages.map(({ id_project }) => id_project))];
  const recipients = [...new Set(messages.map(({ recipient }) => recipient))];
  const filter = { id_project: { $in: projects }, request_id: { $in: recipients } };
  const stored = (await readMany(Request, filter, { fields: REQUEST_FIELDS })) as unknown as StoredRequest[];
  return new Map((await show(stored)).map((request) => [`${request.id_project} ${request.request_id}`, request]));
};

/** Those of the records that are there with their conversations, as events carry them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]) => {
  const anyProject = { anyProject: true }; // the relay's: it knows by the record whose it is
  const messages = (await Message.find({ _id: { $in: keys } }, ALL, anyProject).lean()) as StoredMessage[];
  const requests = await requestsOf(messages);
  return messages.map((message) => {
    const request = requests.get(`${message.id_project} ${message.recipient}`);
    const seen = request && forVisitor(message);
    return {
      key: message._id as Types.ObjectId,
      shown: { ...message, ...(request && { request }) },
      ...(request && { visitor: visitorOf(request) }),
      ...(seen && { visitor_shown: { ...seen, request: requestForVisitor(request) } }),
    };
  });
};
