/** Messages: what was said in a conversation, and to whom it is shown. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { notFound } from '../../errors.ts';
import { isPrivate, Message, MessageView, VisitorMessageView } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { readEach, readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { carried } from './bounded.ts';
import { AT_ONCE, type MessagePage, type PageWanted, pageOf } from './message-pages.ts';
import { withoutRemoved } from './message-removals.ts';
import {
  type Conversation,
  FIELDS as REQUEST_FIELDS,
  isTeam,
  ofVisitor,
  forVisitor as requestForVisitor,
  type Speaker,
  type StoredRequest,
  show,
  unknown,
  visitorOf,
} from './requests.ts';

export type StoredMessage = z.input<typeof MessageView>;

/** Bytes of a message as JSON, by which it is counted. */
export const bytesOf = (message: StoredMessage): number => Buffer.byteLength(JSON.stringify(message));

/** What is hidden from visitors, as a filter: the same rule as `isPrivate`. */
export const NOT_PRIVATE = { 'attributes.subtype': { $ne: 'private' } };

/** What the visitor may see of a message; nothing of a private one (decision 57). */
export const forVisitor = (message: StoredMessage) =>
  isPrivate(message) ? undefined : VisitorMessageView.parse(message);

const ALL = fieldsOf(MessageView);

/** The messages of a conversation, as a filter; a direct message is in none, though somebody's id may be its `request_id`. */
export const saidIn = ({ id_project, request_id }: Conversation) => ({
  id_project,
  recipient: request_id,
  channel_type: { $ne: 'direct' },
});

/** A message of a conversation under its id or the name its client gave it. */
export const findAny = async (
  where: Conversation,
  which: { _id: string } | { client_message_id: string },
): Promise<StoredMessage | null> =>
  (await readOne(Message, { ...saidIn(where), ...which }, ALL)) as StoredMessage | null;

const IN_ORDER = { createdAt: 1, _id: 1 } as const;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Those of a conversation that have these names of their clients, in their order. */
export const named = async (where: Conversation, names: string[]): Promise<StoredMessage[]> => {
  const filter = { ...saidIn(where), client_message_id: { $in: names } };
  return (await readMany(Message, filter, { fields: ALL, sort: IN_ORDER })) as StoredMessage[];
};

/** The messages of a conversation that somebody may see; null for a visitor that takes no part in it. */
const visibleTo = async (where: Conversation, by: Speaker) => {
  const said = saidIn(where);
  if (isTeam(by)) return said;
  const own = await Request.exists({ ...where, ...ofVisitor(by.id) });
  return own ? { ...said, ...NOT_PRIVATE } : null;
};

/** What somebody sees of a message that it may see. */
export const seenBy =
  (by: Speaker) =>
  (message: StoredMessage): StoredMessage =>
    isTeam(by) ? message : VisitorMessageView.parse(message);

/** A page of the messages of a conversation, as far as the caller may see them; an empty one of an unknown conversation. */
export const list = async (
  where: Conversation,
  by: Speaker,
  wanted: PageWanted,
): Promise<MessagePage<StoredMessage>> => {
  const filter = await visibleTo(where, by);
  if (!filter) return { messages: [], next: null };
  return pageOf(filter, wanted, { fields: ALL, show: seenBy(by) });
};

/** The same one after the other, for tables: nobody holds them all. 404 of an unknown one. */
export async function* each(where: Conversation, by: Speaker): AsyncGenerator<StoredMessage> {
  const filter = await visibleTo(where, by);
  if (!filter || !(await Request.exists({ ...where }))) throw unknown(where);
  const found = readEach(Message, await withoutRemoved(filter), {
    fields: ALL,
    sort: IN_ORDER,
    batch: AT_ONCE,
  }) as AsyncIterable<StoredMessage>;
  for await (const message of found) yield seenBy(by)(message);
}

/** All messages of a project, the newest first. */
export async function* eachOf(id_project: string): AsyncGenerator<StoredMessage> {
  const left = await withoutRemoved({ id_project });
  yield* readEach(Message, left, { fields: ALL, sort: NEWEST_FIRST, batch: AT_ONCE }) as AsyncIterable<StoredMessage>;
}

/** One message of a conversation, or 404; what the caller may not see is not there. */
export const find = async (where: Conversation, id: string, by: Speaker) => {
  const filter = isId(id) && (await visibleTo(where, by));
  const message = filter ? await readOne(Message, { _id: id, ...filter }, ALL) : null;
  if (!message) throw notFound('Message not found');
  return seenBy(by)(message as StoredMessage);
};

/** One message of a project, direct ones too, or 404. */
export const read = async (id_project: string, _id: string): Promise<StoredMessage> => {
  const message = await readOne(Message, { id_project, _id }, ALL);
  if (!message) throw notFound('Message not found');
  return message as StoredMessage;
};

/** True for a message to one person, in no conversation. */
export const isDirect = ({ channel_type }: StoredMessage): boolean => channel_type === 'direct';

/** The conversations of messages, as teammates see them; a direct message has none. */
const requestsOf = async (messages: StoredMessage[]) => {
  const said = messages.filter((message) => !isDirect(message));
  const projects = [...new Set(said.map(({ id_project }) => id_project))];
  const recipients = [...new Set(said.map(({ recipient }) => recipient))];
  const filter = { id_project: { $in: projects }, request_id: { $in: recipients } };
  const stored = (await readMany(Request, filter, { fields: REQUEST_FIELDS })) as unknown as StoredRequest[];
  const shown = (await show(stored)).map(
    (request) => [`${request.id_project} ${request.request_id}`, request] as const,
  );
  const requests = new Map(shown);
  return (message: StoredMessage) =>
    isDirect(message) ? undefined : requests.get(`${message.id_project} ${message.recipient}`);
};

/** A page of a project's messages, direct ones too, the newest first; `words`: those that have all of them. */
export const latest = async (
  id_project: string,
  { words, ...page }: { skip: number; limit: number; words?: string[] },
): Promise<StoredMessage[]> => {
  const filter = await withoutRemoved({ id_project, ...(words && { words: { $all: words } }) });
  const sort = words ? ({ _id: -1 } as const) : NEWEST_FIRST; // as the index has them
  return (await readMany(Message, filter, { fields: ALL, sort, ...page })) as StoredMessage[];
};

/** Messages with their conversations. */
export const withRequests = async (messages: StoredMessage[]) => {
  const requestOf = await requestsOf(messages);
  return messages.map((message) => ({ ...message, request: requestOf(message) }));
};

/** Those of the records that are there with their conversations, as events carry them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]) => {
  const anyProject = { anyProject: true }; // the relay's: it knows by the record whose it is
  const messages = (await Message.find({ _id: { $in: keys } }, ALL, anyProject).lean()) as StoredMessage[];
  const requestOf = await requestsOf(messages);
  return messages.map((message) => {
    const request = requestOf(message);
    const visitor = isDirect(message) ? message.recipient : request && visitorOf(request);
    const seen = visitor === undefined ? undefined : forVisitor(message);
    return {
      key: message._id as Types.ObjectId,
      shown: { ...message, ...(request && { request: carried(request) }) },
      ...(visitor !== undefined && { visitor }),
      ...(seen && { visitor_shown: { ...seen, ...(request && { request: requestForVisitor(request) }) } }),
    };
  });
};
