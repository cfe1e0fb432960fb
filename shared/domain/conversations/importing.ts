/** Many messages into a conversation that is there, in the order of their times; an import that is cut off goes on when it is sent again (contract b 3.4). */
import { setImmediate as breathe } from 'node:timers/promises';
import { type ClientSession, Types } from 'mongoose';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { spendBytes } from '../../project-bytes.ts';
import { wire } from '../../wire-profile.ts';
import { insertMissing } from '../../write.ts';
import { lastMessageOf } from './bounded.ts';
import { named, type StoredMessage, saidIn } from './messages.ts';
import {
  type Change,
  type Conversation,
  change,
  FIELDS,
  isTeam,
  ofVisitor,
  type Speaker,
  type StoredRequest,
  unknown,
} from './requests.ts';
import { compose, refuseSpoofing, type Said, turnOf } from './saying.ts';
import { unveiled } from './unveiling.ts';
import { acceptedAll, full, nameIn, withRoomFor } from './visitor-messages.ts';
import { isTemplate, wording } from './wording.ts';

const CHUNK = 500;
/** So many, all of them of this minute, are told one by one, as if each had been posted. */
const MOST_TOLD_SINGLY = 100;
const NEWS_MS = 60_000;
const MOST_TEMPLATES = 100;
/** After so many messages others have their turn. */
const WORDED_AT_ONCE = 100;

/** Messages that are imported together, made and named once for all tries. */
interface Batch {
  where: Conversation;
  by: Speaker;
  messages: StoredMessage[];
  /** What happens now, and so is told message by message; history is told as one. */
  isNews: boolean;
}

const timeOf = ({ createdAt }: StoredMessage): number => (createdAt as Date).getTime();

/** When each was said: at its client's time, or with the one before it, behind which its id keeps it. */
const timesOf = (said: Said[]): number[] => {
  let at = Date.now();
  return said.map(({ attributes }) => {
    at = (attributes?.clienttimestamp as number | undefined) ?? at;
    return at;
  });
};

/** A message without a name of its own is named after the call, which is the same in every try of an `Idempotency-Key`. */
const batchOf = (where: Conversation, all: Said[], by: Speaker): Batch => {
  const call = newId();
  const times = timesOf(all);
  const messages = all.map((each, index) => {
    const said = { ...each, client_message_id: each.client_message_id ?? `${call}-${index}` };
    const own = { _id: String(new Types.ObjectId()), createdBy: said.sender ?? by.id, at: new Date(times[index] ?? 0) };
    return compose({ where, said, by }, own);
  });
  const since = Date.now() - NEWS_MS;
  const isNews = messages.length <= MOST_TOLD_SINGLY && times.every((time) => time >= since);
  return { where, by, messages, isNews };
};

const namesOf = (messages: StoredMessage[]): string[] =>
  messages.map(({ client_message_id }) => client_message_id as string);

const latest = (messages: StoredMessage[]): StoredMessage =>
  messages.reduce((last, message) => (timeOf(message) >= timeOf(last) ? message : last));

/** Those that were said since the conversation was opened, in their order: history changes nothing in it. */
const sinceOpened = (before: StoredRequest, { messages }: Batch): StoredMessage[] =>
  messages
    .filter((message) => timeOf(message) >= before.createdAt.getTime())
    .toSorted((one, other) => timeOf(one) - timeOf(other));

/** What the first of consequence changes, as if it had been posted. */
const turnIn =
  (batch: Batch) =>
  async (before: StoredRequest, session: ClientSession): Promise<Change | null> => {
    for (const message of sinceOpened(before, batch)) {
      const turn = (await unveiled(before, message, session)) ?? turnOf(before, message, batch.by);
      if (turn) return turn;
    }
    return null;
  };

/** The conversation has another last message, where a later one came, and its history is told as one; false when it is gone. */
const touch = async ({ where, isNews }: Batch, last: StoredMessage): Promise<boolean> => {
  const told = isNews ? {} : emits('message.import');
  const earlier = { ...where, 'attributes.last_message.createdAt': { $not: { $gt: last.createdAt } } };
  const { matchedCount } = await Request.updateOne(
    earlier,
    { $set: { 'attributes.last_message': lastMessageOf(last) } },
    told,
  );
  if (matchedCount || isNews) return matchedCount > 0 || (await Request.exists(where)) !== null;
  return (await Request.updateOne(where, {}, told)).matchedCount > 0;
};

/**
 * Store those that are not there yet, and in the end what they change. Not in one transaction: a killed process leaves that open for a
 * minute, in which nobody could go on. So the conversation knows of messages whose import was cut off when they are sent again.
 */
const store = async (batch: Batch): Promise<StoredMessage[]> => {
  const { where, messages, isNews } = batch;
  for (let at = 0; at < messages.length; at += CHUNK)
    await insertMissing(Message, messages.slice(at, at + CHUNK), isNews ? emits('message.create') : {});
  const stored = await named(where, namesOf(wire.importAnswersAll ? messages : [latest(messages)]));
  if (await touch(batch, stored.at(-1) as StoredMessage)) return stored;
  await Message.deleteMany({ ...saidIn(where), client_message_id: { $in: namesOf(messages) } });
  throw unknown(where);
};

const find = async (where: Conversation): Promise<StoredRequest> => {
  const request = await Request.findOne(where, FIELDS).lean<StoredRequest>();
  if (!request) throw unknown(where);
  return request;
};

/** The visitor's own conversation, in which room for these messages is taken; 413 where there is none. An import that is sent again takes room again. */
const findWithRoom = async (where: Conversation, said: Said[], by: Speaker): Promise<StoredRequest> => {
  const own = { ...where, ...ofVisitor(by.id) };
  const bytes = Buffer.byteLength(JSON.stringify(said));
  const taken = { $inc: { bytes } };
  const options = { returnDocument: 'after', projection: FIELDS } as const;
  const request = await Request.findOneAndUpdate(
    { ...own, ...withRoomFor(bytes) },
    taken,
    options,
  ).lean<StoredRequest>();
  if (request) return request;
  throw (await Request.exists(own)) ? full() : unknown(where);
};

/** The store failed half way: the answer names what is in. */
const partly = async ({ where, messages }: Batch, error: unknown): Promise<unknown> => {
  const there = new Map(
    (await named(where, namesOf(messages))).map((each) => [each.client_message_id, String(each._id)]),
  );
  if (error instanceof AppError || !there.size) return error;
  logger.error({ err: error, ...where }, 'an import was cut off');
  const stored = messages.flatMap(({ client_message_id }, index) => {
    const _id = there.get(client_message_id);
    return _id ? [{ index, _id }] : [];
  });
  const text = `${stored.length} of ${messages.length} messages are stored; the same sent again under the same names stores the rest`;
  return new AppError(503, 'PARTLY_STORED', text).with({ body: { stored }, headers: { 'Retry-After': '2' } });
};

const wordedOf = async (where: Conversation, all: Said[], by: Speaker): Promise<Said[]> => {
  if (all.filter(isTemplate).length > MOST_TEMPLATES)
    throw new AppError(
      422,
      'INVALID',
      `attributes.templateProcessor: in at most ${MOST_TEMPLATES} messages of an import`,
    );
  const word = wording(where, by);
  const worded: Said[] = [];
  for (const [index, said] of all.entries()) {
    worded.push(await word(said));
    if (index % WORDED_AT_ONCE === 0) await breathe();
  }
  return worded;
};

/**
 * Import messages and answer the last of them, or all (decision 4). A message is known again by its `client_message_id`, or by the
 * `Idempotency-Key` and its place, so that the same call sent again only completes what is missing.
 * Errors: 404 for an unknown conversation, or one that is not the visitor's; 503 with `stored` where the store failed half way.
 */
export const importAll = async (where: Conversation, said: Said[], by: Speaker): Promise<StoredMessage[]> => {
  for (const each of said) refuseSpoofing(each, by);
  const all = acceptedAll(said, by);
  const before = await (isTeam(by) ? find(where) : findWithRoom(where, all, by));
  const signed = all.map((each) => ({ ...each, senderFullname: nameIn(before, each.senderFullname, by) }));
  spendBytes(where.id_project, Buffer.byteLength(JSON.stringify(signed)));
  const batch = batchOf(where, await wordedOf(where, signed, by), by);
  try {
    const stored = await store(batch);
    if (sinceOpened(before, batch).length) await change(where, turnIn(batch));
    return stored;
  } catch (error) {
    throw await partly(batch, error);
  }
};
