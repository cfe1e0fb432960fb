/** Reads records and returns the facts of each: the values that the rollups count. */
import { type ClientSession, Types } from 'mongoose';
import { config } from '../../config.ts';
import { Conversation } from '../../models/conversation.ts';
import { CustomEvent } from '../../models/custom-event.ts';
import { Change } from '../../models/change.ts';
import { Message } from '../../models/message.ts';
import { MessageRemoval } from '../../models/message-removal.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { isId } from '../../wire/view.ts';
import type { Facts, Subject } from './series.ts';

/** A record that is counted. */
export interface CountedRecord {
  id: string;
  id_project: string;
  /** The `request_id` of a conversation, or of a message's conversation. */
  conversation?: string;
  facts: Facts;
  /** The time at which the contribution of the record is deleted; the rollups keep its sums. */
  expiresAt?: Date;
}

/** The ids of the records to read, and their projects. */
export interface RecordIds {
  projects: string[];
  ids: string[];
}

type Reader = (records: RecordIds, session: ClientSession) => Promise<CountedRecord[]>;

/** Removes absent, empty and false values, so that facts can be compared as JSON. */
const compact = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value != null && value !== '' && value !== false),
  ) as unknown as Facts;

const scopeOf = ({ projects, ids }: RecordIds) => ({
  id_project: { $in: projects },
  _id: { $in: ids.filter(isId).map((id) => new Types.ObjectId(id)) },
});

const CONVERSATION_FIELDS = {
  ...{ id_project: 1, request_id: 1, createdAt: 1, department: 1, channel: 1, participants: 1, sourcePage: 1 },
  ...{ preflight: 1, hasBot: 1, status: 1, waiting_time: 1, closed_at: 1, rating: 1 },
} as const;

const readConversations: Reader = async (records, session) => {
  const found = await Conversation.find(scopeOf(records), CONVERSATION_FIELDS, { session }).lean();
  return found.map(({ _id, id_project, request_id, createdAt, closed_at, ...fields }) => {
    const { department, channel, participants, sourcePage, preflight, hasBot, status, waiting_time, rating } = fields;
    const facts = {
      ...{ createdAt, department, channel: channel?.name, participants, sourcePage },
      ...{ isPreflight: preflight, hasBot, status, waitingMs: waiting_time, rating },
      durationMs: closed_at ? closed_at.getTime() - createdAt.getTime() : undefined,
    };
    return { id: String(_id), id_project, conversation: request_id, facts: compact(facts as Facts) };
  });
};

const conversationKey = (id_project: string, request_id: string): string => `${id_project} ${request_id}`;

interface MessageRecord {
  id_project: string;
  recipient: string;
  channel_type?: string;
  createdAt: Date;
}

/**
 * Returns a function that returns whether a message, which is then not counted, belongs to a deleted conversation whose
 * messages are still being deleted.
 */
const removedMessages = async (projects: string[], session: ClientSession) => {
  const removals = await MessageRemoval.find({ id_project: { $in: projects } }, {}, { session }).lean();
  return ({ id_project, recipient, channel_type, createdAt }: MessageRecord): boolean =>
    channel_type !== 'direct' &&
    removals.some(
      (removal) => removal.id_project === id_project && removal.request_id === recipient && createdAt <= removal.upTo,
    );
};

/** Returns the departments of the messages' conversations, by `conversationKey`. */
const departmentsOf = async (messages: MessageRecord[], session: ClientSession): Promise<Map<string, string>> => {
  const scope = {
    id_project: { $in: [...new Set(messages.map(({ id_project }) => id_project))] },
    request_id: { $in: [...new Set(messages.map(({ recipient }) => recipient))] },
  };
  const found = await Conversation.find(scope, { id_project: 1, request_id: 1, department: 1 }, { session }).lean();
  return new Map(
    found.flatMap(({ id_project, request_id, department }) =>
      department ? [[conversationKey(id_project, request_id), department]] : [],
    ),
  );
};

const MESSAGE_FIELDS = {
  ...{ id_project: 1, recipient: 1, sender: 1, channel: 1, channel_type: 1, createdAt: 1, attributes: 1 },
} as const;

const answerOf = (attributes: unknown): string | undefined => {
  const answer = (attributes as { _answerid?: unknown } | null | undefined)?._answerid;
  return typeof answer === 'string' ? answer : undefined;
};

const readMessages: Reader = async (records, session) => {
  const found = await Message.find(scopeOf(records), MESSAGE_FIELDS, { session }).lean();
  if (!found.length) return [];
  const isRemoved = await removedMessages(records.projects, session);
  const departments = await departmentsOf(found, session);
  return found
    .filter((message) => !isRemoved(message))
    .map(({ _id, id_project, recipient, sender, channel, attributes, createdAt }) => {
      const department = departments.get(conversationKey(id_project, recipient));
      const facts = { createdAt, department, channel: channel?.name, sender, answer: answerOf(attributes) };
      return { id: String(_id), id_project, conversation: recipient, facts: compact(facts) };
    });
};

/** The filter for the memberships that are counted: those of active visitors. */
export const COUNTED_MEMBERSHIP = { role: { $in: ['guest', 'user'] }, status: 'active' };

const readVisitors: Reader = async (records, session) => {
  const filter = { ...scopeOf(records), ...COUNTED_MEMBERSHIP };
  const found = await ProjectUser.find(filter, { id_project: 1, createdAt: 1 }, { session }).lean();
  return found.map(({ _id, id_project, createdAt }) => ({ id: String(_id), id_project, facts: { createdAt } }));
};

const readCustomEvents: Reader = async (records, session) => {
  const found = await CustomEvent.find(scopeOf(records), { id_project: 1, name: 1, createdAt: 1 }, { session }).lean();
  return found.map(({ _id, id_project, name, createdAt }) => ({
    id: String(_id),
    id_project,
    facts: { createdAt, name },
    expiresAt: new Date(createdAt.getTime() + config.EVENT_TTL_SECONDS * 1000),
  }));
};

/** Reads the events that added tags. They serve as records, because a tag remains counted after its removal. */
const readAddedTags: Reader = async ({ projects, ids }, session) => {
  const filter = { id_project: { $in: projects }, _id: { $in: ids } };
  const fields = { id_project: 1, 'payload.tags.tag': 1, createdAt: 1 } as const;
  const found = await Change.find(filter, fields, { session }).lean<
    { _id: string; id_project: string; payload?: { tags?: { tag: string }[] }; createdAt: Date }[]
  >();
  return found.map(({ _id, id_project, payload, createdAt }) => ({
    id: _id,
    id_project,
    facts: { createdAt, tags: (payload?.tags ?? []).map(({ tag }) => tag) },
    // While the changes log contains an event, an instance administrator may replay it to the listener that counts it.
    // If the contribution of such an event had expired, the event would be counted again. Therefore, the contribution
    // is kept longer than the event.
    expiresAt: new Date(createdAt.getTime() + 2 * config.CHANGES_TTL_SECONDS * 1000),
  }));
};

/** The readers by subject. Their results contain only the records that are counted. */
export const readCounted: Record<Subject, Reader> = {
  requests: readConversations,
  messages: readMessages,
  project_users: readVisitors,
  events: readCustomEvents,
  tags: readAddedTags,
};
