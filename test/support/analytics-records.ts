/** Random records that cover 13 months, for tests of analytics, and the events of these records. */
import { Types } from 'mongoose';
import type { OrderedEvent } from '#shared/domain/events/listeners.ts';
import { CONVERSATION_STATUS, Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';

const DAY_MS = 86_400_000;
const DAYS = 395;
const SEED_BATCH_SIZE = 2000;
const DEPARTMENTS = ['support', 'sales', 'billing'];
const CHANNELS = ['chat21', 'email'];
const AGENTS = ['agent-1', 'agent-2', 'agent-3', 'bot_1'];
const STATUSES = [CONVERSATION_STATUS.unserved, CONVERSATION_STATUS.served, CONVERSATION_STATUS.closed];
const PAGES = [{ sourcePage: 'https://shop.example/' }, { sourcePage: 'https://shop.example/help?a=b|c' }, {}];

const EVENT_NAMES = ['cart', 'checkout', 'page'];
const EVENT_DAYS = 28;

const OPTIONAL_FIELDS = ['waiting_time', 'closed_at', 'rating'];

type Random = () => number;

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
/** A duration in milliseconds: from a second to about a week, most often a few minutes. */
const randomDuration = (random: Random): number => Math.round(Math.exp(7 + random() * 6 + random() * 7));

/** The fields of a conversation that change during its life. */
const changingFields = (random: Random, createdAt: Date) => ({
  department: pick(random, DEPARTMENTS),
  participants: AGENTS.filter(() => random() < 0.3),
  // Empty, although `participants` has ids of AGENTS: they are not ids of accounts, so a periodic job of another test
  // that closes the conversation would fail to find them.
  participantsAgents: [],
  participantsBots: [],
  hasBot: random() < 0.3,
  status: pick(random, STATUSES),
  preflight: random() < 0.03,
  ...(random() < 0.8 && { waiting_time: randomDuration(random) }),
  ...(random() < 0.7 && { closed_at: new Date(createdAt.getTime() + randomDuration(random)) }),
  ...(random() < 0.4 && { rating: Math.round(random() * 50) / 10 }),
});

/** A new id that contains the creation time of a record. */
const newIdAt = (createdAt: Date): Types.ObjectId => {
  const seconds = Math.floor(createdAt.getTime() / 1000).toString(16);
  return new Types.ObjectId(seconds.padStart(8, '0') + String(new Types.ObjectId()).slice(8));
};

/** A random time in the 13 months before `now`. */
export const randomTime = (random: Random, now: number): Date => new Date(now - Math.floor(random() * DAYS * DAY_MS));

/** A conversation created at `createdAt`. */
export const aConversation = (id_project: string, random: Random, createdAt: Date) => {
  const _id = newIdAt(createdAt);
  const channel = { name: pick(random, CHANNELS) };
  return {
    ...{ _id, id_project, request_id: `support-group-${String(_id)}`, first_text: 'Hi', createdBy: 'x', __v: 0 },
    ...{ channel, channelOutbound: channel, snapshot: {}, agents: [], followers: [], tags: [], notes: [] },
    ...{ smartAssignment: false, priority: 'medium', ...pick(random, PAGES) },
    ...changingFields(random, createdAt),
    ...{ createdAt, updatedAt: createdAt },
  };
};

export type RandomConversation = ReturnType<typeof aConversation>;

/** A message created within a day after its conversation. */
export const aMessage = (conversation: RandomConversation, random: Random) => {
  const { id_project, request_id, channel } = conversation;
  const createdAt = new Date(conversation.createdAt.getTime() + Math.floor(random() * DAY_MS));
  return {
    ...{ _id: newIdAt(createdAt), id_project, recipient: request_id, channel, channel_type: 'group', __v: 0 },
    ...{ sender: pick(random, AGENTS), text: 'Hello', type: 'text', status: 0, createdBy: 'x' },
    attributes: random() < 0.2 ? { _answerid: pick(random, ['a1', 'a2']) } : {},
    ...{ createdAt, updatedAt: createdAt },
  };
};

/** A custom event that has not expired and will not expire within a day. */
export const aCustomEvent = (
  id_project: string,
  random: Random,
  { now, name = pick(random, EVENT_NAMES) }: { now: number; name?: string },
) => {
  const createdAt = new Date(now - Math.floor(random() * EVENT_DAYS * DAY_MS));
  const _id = newIdAt(createdAt);
  // `stardard` is the contract's spelling.
  return { ...{ _id, id_project, name, status: 'stardard', createdBy: 'x', __v: 0 }, createdAt, updatedAt: createdAt };
};

const randomMessages = (conversation: RandomConversation, { random, messagesEach }: RecordOptions) =>
  Array.from({ length: Math.floor(random() * (messagesEach + 1)) }, () => aMessage(conversation, random));

/** How many records to create: conversations, and for each of them up to `messagesEach` messages. */
interface RecordOptions {
  count: number;
  messagesEach: number;
  random: Random;
  /** The end of the 13 months. */
  now: number;
}

/** An event of a record, as a batch listener receives it. */
const eventOf = (
  event: string,
  { id_project, record, request_id }: Record<'id_project' | 'record' | 'request_id', string>,
): OrderedEvent => ({
  ...{ id: `${event} ${record}`, id_project, event, record, position: '0', orderingKey: `${id_project} ${request_id}` },
});

const refOf = ({ id_project, _id, request_id }: RandomConversation) => ({
  id_project,
  record: String(_id),
  request_id,
});

const insertRecords = async (
  conversations: RandomConversation[],
  messages: ReturnType<typeof aMessage>[],
): Promise<void> => {
  const options = { ordered: false, writeConcern: { w: 1 } } as const;
  await Promise.all([
    Conversation.collection.insertMany(conversations, options),
    messages.length && Message.collection.insertMany(messages, options),
  ]);
};

/** Inserts conversations and messages without events, evenly distributed over the 13 months. */
export const seedConversations = async (id_project: string, options: RecordOptions): Promise<void> => {
  const { count, random, now } = options;
  // A batch is created while MongoDB stores the one before it.
  let stored = Promise.resolve();
  for (let first = 0; first < count; first += SEED_BATCH_SIZE) {
    const conversations = Array.from({ length: Math.min(SEED_BATCH_SIZE, count - first) }, (_, index) =>
      aConversation(id_project, random, new Date(now - DAYS * DAY_MS * (1 - (first + index + random()) / count))),
    );
    const messages = conversations.flatMap((each) => randomMessages(each, options));
    await stored;
    stored = insertRecords(conversations, messages);
  }
  await stored;
};

/** Inserts conversations and messages. Returns their events in random order. */
export const insertConversations = async (
  id_project: string,
  options: RecordOptions,
): Promise<{ conversations: RandomConversation[]; events: OrderedEvent[] }> => {
  const { count, random, now } = options;
  const conversations = Array.from({ length: count }, () => aConversation(id_project, random, randomTime(random, now)));
  const messages = conversations.flatMap((each) =>
    randomMessages(each, options).map((message) => ({ of: each, message })),
  );
  await insertRecords(
    conversations,
    messages.map(({ message }) => message),
  );
  const events = [
    ...conversations.map((each) => eventOf('request.create', refOf(each))),
    ...messages.map(({ of, message }) => eventOf('message.create', { ...refOf(of), record: String(message._id) })),
  ];
  return { conversations, events: events.toSorted(() => random() - 0.5) };
};

/** An update of all fields that change during the life of a conversation. */
export const randomChange = (random: Random, createdAt: Date) => {
  const fields = changingFields(random, createdAt);
  const unset = OPTIONAL_FIELDS.filter((name) => !(name in fields)).map((name) => [name, '']);
  return { $set: fields, ...(unset.length && { $unset: Object.fromEntries(unset) as Record<string, ''> }) };
};

/** Changes a conversation and returns the event. */
export const changeConversation = async (conversation: RandomConversation, random: Random): Promise<OrderedEvent> => {
  const { id_project, _id, createdAt } = conversation;
  await Conversation.collection.updateOne({ id_project, _id }, randomChange(random, createdAt));
  return eventOf('request.update', refOf(conversation));
};

/** Deletes a conversation with its messages and returns the event. */
export const deleteConversation = async (conversation: RandomConversation): Promise<OrderedEvent> => {
  const { id_project, _id, request_id } = conversation;
  await Conversation.collection.deleteOne({ id_project, _id });
  await Message.collection.deleteMany({ id_project, recipient: request_id });
  return eventOf('request.delete', refOf(conversation));
};
