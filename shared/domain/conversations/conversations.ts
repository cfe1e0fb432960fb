/** Conversations as they are held: a message opens one or goes on with it, and message and conversation agree after any kill. */
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { inLine } from '../../in-line.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import { change, insert } from '../../write.ts';
import { account } from '../routing/claims.ts';
import { findAny, type StoredMessage } from './messages.ts';
import { type NewConversation, open } from './opening.ts';
import {
  type Conversation,
  FIELDS,
  find,
  isTeam,
  lineOf,
  lookUp,
  ofVisitor,
  type Speaker,
  type StoredRequest,
} from './requests.ts';
import { compose, refuseSpoofing, type Said, turnOf } from './saying.ts';

/** A message and its conversation as they are after it. */
export interface Posted {
  message: StoredMessage;
  request: StoredRequest;
}

const TRIES = 10;

/** First words of a message without any. */
const WORDLESS: Record<string, string> = { image: 'Image', frame: 'Frame' };

const firstText = ({ text, type = 'text' }: Said): string => {
  const words = text || WORDLESS[type] || (type === 'text' ? '' : type);
  if (words) return words;
  throw new AppError(422, 'INVALID', 'text: the first message of a conversation needs one').with({
    body: { errors: ['text is required'] },
  });
};

type Ids = { message: string; request: string; lead: string };
type Post = { where: Conversation; said: Said; by: Speaker; ids: Ids };

/** Say it in a conversation that is there and that the speaker takes part in; null otherwise. */
const say = (post: Post): Promise<Posted | null> =>
  inTransaction(async (session) => {
    const { where, said, by } = post;
    const message = compose(post, { _id: post.ids.message, createdBy: said.sender ?? by.id });
    const allowed = isTeam(by) ? where : { ...where, ...ofVisitor(by.id) };
    const update = async (set: object, told = {}) =>
      (await change(
        Request,
        { filter: { ...allowed }, set: { ...set }, fields: FIELDS },
        { session, ...told },
      )) as unknown;
    const before = (await update({ 'attributes.last_message': message })) as StoredRequest | null;
    if (!before) return null;
    const turn = turnOf(before, message, by);
    const request = turn ? ((await update(turn.set, emits(...turn.tells))) as StoredRequest) : before;
    if (turn) await account(before, request, session);
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
  const given = { ...said, first_text: firstText(said) };
  const { request, message } = await open(where, given, {
    ...{ by, ids },
    compose: () => compose(post, { _id: ids.message, createdBy: by.id }),
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
  const ids = { message: newId(), request: newId(), lead: newId() };
  const entry = { where, said, by, ids };
  return inLine(lineOf(where), () =>
    untilSettled(
      () => sayOrOpen(entry),
      () => earlier(entry),
    ),
  );
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
