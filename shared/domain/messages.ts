/** Messages: what was said in a conversation, and to whom it is shown. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { notFound } from '../errors.ts';
import { isPrivate, Message, MessageView, VisitorMessageView } from '../models/message.ts';
import { Request } from '../models/request.ts';
import { readMany, readOne } from '../read.ts';
import { fieldsOf, isId } from '../view.ts';
import {
  type Conversation,
  FIELDS as REQUEST_FIELDS,
  forVisitor as requestForVisitor,
  type StoredRequest,
  show,
  visitorOf,
} from './requests.ts';

const FIELDS = fieldsOf(MessageView);

export type StoredMessage = z.input<typeof MessageView>;

/** What is hidden from visitors, as a filter: the same rule as `isPrivate`. */
const NOT_PRIVATE = { 'attributes.subtype': { $ne: 'private' } };

/** What the visitor may see of a message; nothing of a private one (decision 57). */
export const forVisitor = (message: StoredMessage) =>
  isPrivate(message) ? undefined : VisitorMessageView.parse(message);

type Reading = Conversation & { visitor: boolean };

const said = ({ id_project, request_id, visitor }: Reading) => ({
  id_project,
  recipient: request_id,
  ...(visitor && NOT_PRIVATE),
});

/** All messages of a conversation in their order; a visitor's without the private ones. */
export const list = async (where: Reading): Promise<StoredMessage[]> => {
  const sort = { createdAt: 1, _id: 1 } as const;
  return (await readMany(Message, said(where), { fields: FIELDS, sort })) as StoredMessage[];
};

/** One message of a conversation, or 404; a private one is not there for a visitor. */
export const find = async (where: Reading, id: string): Promise<StoredMessage> => {
  const message = isId(id) ? await readOne(Message, { _id: id, ...said(where) }, FIELDS) : null;
  if (!message) throw notFound('Message not found');
  return message as StoredMessage;
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
  const messages = (await Message.find({ _id: { $in: keys } }, FIELDS, anyProject).lean()) as StoredMessage[];
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
