/** Conversations as they are held: a message opens one or goes on with it, and message and conversation agree after any kill. */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { inLine } from '../../in-line.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import { spendBytes } from '../../project-bytes.ts';
import { change, insert } from '../../write.ts';
import { lastMessageOf } from './bounded.ts';
import { firstWords } from './first-words.ts';
import { isCommand, obey, refuseCommand } from './commands.ts';
import { bytesOf, findAny, type StoredMessage } from './messages.ts';
import { type NewConversation, open } from './opening.ts';
import {
  type Conversation,
  carryOut,
  FIELDS,
  find,
  isTeam,
  lineOf,
  lookUp,
  ofVisitor,
  type Speaker,
  type StoredRequest,
} from './requests.ts';
import { compose, refuseSpoofing, refuseUnsigned, type Said, turnOf } from './saying.ts';
import { accepted, nameIn, refuseFull } from './visitor-messages.ts';
import { wording } from './wording.ts';
import { unveiled } from './unveiling.ts';

/** A message and its conversation as they are after it. */
export interface Posted {
  message: StoredMessage;
  request: StoredRequest;
}

const TRIES = 10;

const firstText = (said: Said): string => {
  const words = firstWords(said);
  if (words) return words;
  throw new AppError(422, 'INVALID', 'text: the first message of a conversation needs one').with({
    body: { errors: ['text is required'] },
  });
};

type Ids = Record<'message' | 'request' | 'lead' | 'greeting', string>;
type Post = { where: Conversation; said: Said; by: Speaker; ids: Ids };

/** The conversation with its last message, and that message; null where there is none that the sender takes part in. */
const noted = async ({ where, said, by, ids }: Post, session: ClientSession) => {
  const message = compose({ where, said, by }, { _id: ids.message, createdBy: said.sender ?? by.id });
  const filter = isTeam(by) ? { ...where } : { ...where, ...ofVisitor(by.id) };
  const update = {
    filter,
    set: { 'attributes.last_message': lastMessageOf(message) },
    add: { bytes: bytesOf(message) },
  };
  const found = await change(Request, { ...update, fields: { ...FIELDS, bytes: 1 } }, { session });
  if (!found) return null;
  const { bytes, ...request } = found;
  refuseFull(bytes as number, by);
  return { message, before: request as unknown as StoredRequest };
};

/** The same, but a visitor who writes under another name than its own bears its own. */
const notedByName = async (post: Post, session: ClientSession) => {
  const found = await noted(post, session);
  if (!found) return null;
  const { said, by } = post;
  const senderFullname = nameIn(found.before, said.senderFullname, by);
  return senderFullname === said.senderFullname
    ? found
    : noted({ ...post, said: { ...said, senderFullname } }, session);
};

/** Say it in a conversation that is there and that the speaker takes part in; null otherwise. */
const say = (post: Post): Promise<Posted | null> =>
  inTransaction(async (session) => {
    const found = await notedByName(post, session);
    if (!found) return null;
    const { by, ids } = post;
    const { message, before } = found;
    refuseUnsigned(before, post.said, by);
    refuseCommand(message, before, by);
    const turn = (await unveiled(before, message, session)) ?? turnOf(before, message, by);
    const request = turn ? await carryOut(before, turn, { session, said: ids.greeting }) : before;
    await insert(Message, message, { session, ...emits('message.create') });
    return { message, request };
  });

/** Opened just now by the caller itself, elsewhere, it is none of another's: then opening fails, and the message goes on. */
const refuseForeign = async (where: Conversation, by: Speaker): Promise<void> => {
  if (!isTeam(by) && (await Request.exists({ ...where, $nor: ofVisitor(by.id).$or })))
    throw new AppError(403, 'NOT_YOURS', 'The conversation is not yours');
};

/** The message that an earlier try of the same post left behind. */
const earlier = async ({ where, said: { client_message_id }, ids }: Post): Promise<Posted | null> => {
  const message = await findAny(where, client_message_id ? { client_message_id } : { _id: ids.message });
  return message && { message, request: await find(where) };
};

/** Try until it is done or was done by an earlier try; whoever loses a race with another process begins again. */
const untilSettled = async <T>(attempt: () => Promise<T>, earlier: () => Promise<T | null>): Promise<T> => {
  for (let left = TRIES; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicate(error) || !left) throw error;
      const done = await earlier();
      if (done) return done;
    }
  }
};

/** Go on with the conversation, or open it where there is none. */
const sayOrOpen = async (post: Post): Promise<Posted> => {
  const { where, said, by, ids } = post;
  const posted = await say(post);
  if (posted) return posted;
  await refuseForeign(where, by);
  refuseCommand(said, { participantsAgents: said.participants ?? [] }, by);
  const given = { ...said, first_text: firstText(said) };
  const { request, message } = await open(where, given, {
    ...{ by, ids },
    compose: (senderFullname = said.senderFullname) =>
      compose({ ...post, said: { ...said, senderFullname } }, { _id: ids.message, createdBy: by.id }),
  });
  return { request, message: message as StoredMessage };
};

/**
 * Post a message to a conversation, which is opened when there is none: lead, conversation and message are stored in one transaction.
 * Posting again under the same `client_message_id` or `Idempotency-Key` answers the message that is there.
 * Errors: 403 for somebody else's conversation or name, 422 for an unknown department.
 */
export const post = async (where: Conversation, said: Said, by: Speaker): Promise<Posted> => {
  refuseSpoofing(said, by);
  const ids = { message: newId(), request: newId(), lead: newId(), greeting: newId() };
  const entry = { where, said: await wording(where, by)(accepted(said, by)), by, ids };
  spendBytes(where.id_project, Buffer.byteLength(JSON.stringify(entry.said)));
  const posted = await inLine(lineOf(where), () =>
    untilSettled(
      () => sayOrOpen(entry),
      () => earlier(entry),
    ),
  );
  const { message, request } = posted;
  return isCommand(message) ? { message, request: await obey(message, request, by) } : posted;
};

const taken = ({ request_id }: Conversation) => new AppError(409, 'EXISTS', `request_id: ${request_id} is taken`);

/** Open a conversation in which nothing is said yet; 409 when there is one of that `request_id` (contract b 1.7). */
export const create = async (where: Conversation, given: NewConversation, by: Speaker): Promise<StoredRequest> => {
  const ids = { request: newId(), lead: newId() };
  const opened = async (): Promise<StoredRequest> => (await open(where, given, { by, ids })).request;
  const made = async (): Promise<StoredRequest | null> => {
    const known = await lookUp(where);
    if (known && String(known._id) !== ids.request) throw taken(where);
    return known;
  };
  return inLine(lineOf(where), () => untilSettled(opened, made));
};
