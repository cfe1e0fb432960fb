/** Many messages into a conversation that is there, in the order of their times; an import that is cut off goes on when it is sent again (contract b 3.4). */
import type { ClientSession } from 'mongoose';
import { Types } from 'mongoose';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { inLine } from '../../in-line.ts';
import { logger } from '../../logger.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { inTransaction } from '../../mongo.ts';
import { wire } from '../../wire-profile.ts';
import { change, insertMany } from '../../write.ts';
import { account } from '../routing/claims.ts';
import { named, type StoredMessage, saidIn } from './messages.ts';
import {
  type Change,
  type Conversation,
  FIELDS,
  isTeam,
  lineOf,
  ofVisitor,
  type Speaker,
  type StoredRequest,
  unknown,
} from './requests.ts';
import { compose, refuseSpoofing, type Said, turnOf } from './saying.ts';

const CHUNK = 500;
/** So many, all of them of this minute, are told one by one, as if each had been posted. */
const MOST_TOLD_SINGLY = 100;
const NEWS_MS = 60_000;

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

const notYetThere = async (where: Conversation, messages: StoredMessage[], session: ClientSession) => {
  const filter = { ...saidIn(where), client_message_id: { $in: namesOf(messages) } };
  const there = new Set<unknown>(await Message.distinct('client_message_id', filter, { session }));
  return messages.filter(({ client_message_id }) => !there.has(client_message_id));
};

const latest = (messages: StoredMessage[]): StoredMessage =>
  messages.reduce((last, message) => (timeOf(message) >= timeOf(last) ? message : last));

type LastMessage = { last_message?: { createdAt?: Date | string } } | null | undefined;

/** What the first of consequence changes; what was said before the conversation was opened has none. */
const turnsOf = (before: StoredRequest, fresh: StoredMessage[], by: Speaker): Partial<Change> => {
  const since = fresh.filter((message) => timeOf(message) >= before.createdAt.getTime());
  const inOrder = since.toSorted((one, other) => timeOf(one) - timeOf(other));
  return inOrder.map((message) => turnOf(before, message, by)).find((turn) => turn !== null) ?? {};
};

/** What messages change in their conversation: its last one, if they are later, and what they mean for it. */
const effectOf = (before: StoredRequest, fresh: StoredMessage[], { by, isNews }: Batch) => {
  const last = latest(fresh);
  const present = (before.attributes as LastMessage)?.last_message?.createdAt;
  const isLast = !present || timeOf(last) >= new Date(present).getTime();
  const { set, tells = [] } = turnsOf(before, fresh, by);
  const imported: Change['tells'] = isNews ? [] : [['message.import', { count: fresh.length }]];
  return { set: { ...set, ...(isLast && { 'attributes.last_message': last }) }, tells: [...imported, ...tells] };
};

/** Store those that are not there yet, together with what they change: in one transaction, which no other write of the conversation crosses. */
const store = (batch: Batch, chunk: StoredMessage[]): Promise<void> =>
  inTransaction(async (session) => {
    const { where, by, isNews } = batch;
    const allowed = isTeam(by) ? where : { ...where, ...ofVisitor(by.id) };
    const before = await Request.findOne(allowed, FIELDS, { session }).lean<StoredRequest>();
    if (!before) throw unknown(where);
    const fresh = await notYetThere(where, chunk, session);
    if (!fresh.length) return;
    const { set, tells } = effectOf(before, fresh, batch);
    const told = tells.length ? emits(...tells) : {};
    const update = { filter: { ...where }, set, fields: FIELDS };
    const after = (await change(Request, update, { session, ...told })) as unknown;
    await account(before, after as StoredRequest, session);
    await insertMany(Message, fresh, { session, ...(isNews && emits('message.create')) });
  });

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

const chunksOf = (messages: StoredMessage[]): StoredMessage[][] =>
  Array.from({ length: Math.ceil(messages.length / CHUNK) }, (_, at) => messages.slice(at * CHUNK, (at + 1) * CHUNK));

/**
 * Import messages and answer the last of them, or all (decision 4). A message is known again by its `client_message_id`, or by the
 * `Idempotency-Key` and its place, so that the same call sent again only completes what is missing.
 * Errors: 404 for an unknown conversation, or one that is not the visitor's; 503 with `stored` where the store failed half way.
 */
export const importAll = async (where: Conversation, said: Said[], by: Speaker): Promise<StoredMessage[]> => {
  for (const each of said) refuseSpoofing(each, by);
  const batch = batchOf(where, said, by);
  for (const chunk of chunksOf(batch.messages)) {
    try {
      await inLine(lineOf(where), () => store(batch, chunk));
    } catch (error) {
      throw await partly(batch, error);
    }
  }
  return named(where, namesOf(wire.importAnswersAll ? batch.messages : [latest(batch.messages)]));
};
