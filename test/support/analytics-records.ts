/** Random records for analytics, written directly to the database, and the events that tell a listener about them. */
import { Types } from 'mongoose';
import type { OrderedEvent } from '#shared/domain/events/listeners.ts';
import { CONVERSATION_STATUS, Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';

const DAY_MS = 86_400_000;
const DAYS = 395;
const DEPARTMENTS = ['support', 'sales', 'billing'];
const CHANNELS = ['chat21', 'email'];
const AGENTS = ['agent-1', 'agent-2', 'agent-3', 'bot_1'];
const STATUSES = [CONVERSATION_STATUS.unserved, CONVERSATION_STATUS.served, CONVERSATION_STATUS.closed];
const PAGES = [{ sourcePage: 'https://shop.example/' }, { sourcePage: 'https://shop.example/help?a=b|c' }, {}];

type Random = () => number;

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
/** Between a second and about a week, most of them minutes. */
const randomDuration = (random: Random): number => Math.round(Math.exp(7 + random() * 6 + random() * 7));

/** The fields of a conversation that change during its life. */
const changingFields = (random: Random, createdAt: Date) => ({
  department: pick(random, DEPARTMENTS),
  participants: AGENTS.filter(() => random() < 0.3),
  // No agents, so that periodic jobs of other tests can close the conversation.
  participantsAgents: [],
  hasBot: random() < 0.3,
  status: pick(random, STATUSES),
  preflight: random() < 0.03,
  ...(random() < 0.8 && { waiting_time: randomDuration(random) }),
  ...(random() < 0.7 && { closed_at: new Date(createdAt.getTime() + randomDuration(random)) }),
  ...(random() < 0.4 && { rating: Math.round(random() * 50) / 10 }),
});

/** A conversation of the last 13 months, until `now`. */
const aConversation = (id_project: string, random: Random, now: number) => {
  const _id = new Types.ObjectId();
  const createdAt = new Date(now - Math.floor(random() * DAYS * DAY_MS));
  return {
    ...{ _id, id_project, request_id: `support-group-${String(_id)}`, first_text: 'Hi', createdBy: 'x', __v: 0 },
    ...{ channel: { name: pick(random, CHANNELS) }, snapshot: {}, ...pick(random, PAGES) },
    ...changingFields(random, createdAt),
    ...{ createdAt, updatedAt: createdAt },
  };
};

type RandomConversation = ReturnType<typeof aConversation>;

const aMessage = ({ id_project, request_id, createdAt, channel }: RandomConversation, random: Random) => ({
  ...{ _id: new Types.ObjectId(), id_project, recipient: request_id, channel, channel_type: 'group', __v: 0 },
  ...{ sender: pick(random, AGENTS), text: 'Hello', type: 'text', status: 0, createdBy: 'x' },
  attributes: random() < 0.2 ? { _answerid: pick(random, ['a1', 'a2']) } : {},
  ...{ createdAt: new Date(createdAt.getTime() + Math.floor(random() * DAY_MS)), updatedAt: createdAt },
});

/** An event of a record, as a batch listener gets it. */
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

/** Inserts conversations with up to `messagesEach` messages. Returns their events in random order. */
export const insertConversations = async (
  id_project: string,
  { count, messagesEach, random, now }: { count: number; messagesEach: number; random: Random; now: number },
): Promise<{ conversations: RandomConversation[]; events: OrderedEvent[] }> => {
  const conversations = Array.from({ length: count }, () => aConversation(id_project, random, now));
  const messages = conversations.flatMap((each) =>
    Array.from({ length: Math.floor(random() * (messagesEach + 1)) }, () => ({
      of: each,
      message: aMessage(each, random),
    })),
  );
  await Conversation.collection.insertMany(conversations, { ordered: false });
  if (messages.length)
    await Message.collection.insertMany(messages.map(({ message }) => message) as never[], { ordered: false });
  const events = [
    ...conversations.map((each) => eventOf('request.create', refOf(each))),
    ...messages.map(({ of, message }) => eventOf('message.create', { ...refOf(of), record: String(message._id) })),
  ];
  return { conversations, events: events.toSorted(() => random() - 0.5) };
};

/** Changes a conversation and returns the event. */
export const changeConversation = async (conversation: RandomConversation, random: Random): Promise<OrderedEvent> => {
  const { id_project, _id, createdAt } = conversation;
  const unset = { waiting_time: '', closed_at: '', rating: '' };
  await Conversation.collection.updateOne({ id_project, _id }, { $unset: unset });
  await Conversation.collection.updateOne({ id_project, _id }, { $set: changingFields(random, createdAt) });
  return eventOf('request.update', refOf(conversation));
};

/** Deletes a conversation with its messages and returns the event. */
export const deleteConversation = async (conversation: RandomConversation): Promise<OrderedEvent> => {
  const { id_project, _id, request_id } = conversation;
  await Conversation.collection.deleteOne({ id_project, _id });
  await Message.collection.deleteMany({ id_project, recipient: request_id });
  return eventOf('request.delete', refOf(conversation));
};
