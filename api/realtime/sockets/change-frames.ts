/** Converts changes of the log to frames of topics, once per process for all sockets. */
import { LRUCache } from 'lru-cache';
import { CUSTOM_EVENT_PREFIX } from '#shared/domain/events/custom-event-names.ts';
import type { SerializedChange } from '#shared/domain/events/feed-buffer.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import type { ConversationPeople } from '../../conversations/visibility.ts';
import { publishFrame } from './frames.ts';

/** A frame for the subscribers to one topic. */
export interface TopicFrame {
  key: string;
  method: 'CREATE' | 'UPDATE';
  /** The id of the record. */
  id: string;
  /** The agents and participants of the record's conversation; absent for records without a conversation. */
  people?: ConversationPeople;
  /** Returns the bytes of the frame, which are created for the first socket that needs them. */
  bytes: () => Buffer;
}

/** A record in a payload. Its fields depend on the event. */
type Payload = Record<string, unknown> & { _id?: unknown; id_project?: unknown };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the id of a reference, which may be the id itself or the record. */
const idOf = (reference: unknown): string =>
  textOf((reference as { _id?: unknown } | null | undefined)?._id ?? reference);

/** Returns the account ids of agents. The log contains agents as references with `id_user`. */
const accountsOf = (agents: unknown): string[] =>
  Array.isArray(agents) ? agents.map((agent) => idOf((agent as { id_user?: unknown }).id_user)) : [];

const peopleOf = ({ agents, participants }: Payload): ConversationPeople => ({
  agents: accountsOf(agents),
  participants: Array.isArray(participants) ? participants : [],
});

/** Returns a conversation as lists contain it: deployed clients read the agents from `snapshot`. */
export const withSnapshotAgents = <C extends object>(conversation: C): C => {
  const { agents, snapshot } = conversation as { agents?: unknown; snapshot?: object };
  if (!snapshot) return conversation;
  return { ...conversation, snapshot: { ...snapshot, agents: accountsOf(agents).map((id_user) => ({ id_user })) } };
};

/** Whether changes to a conversation are sent to the subscribers to the `requests` topic. */
const isListed = ({ preflight, draft, status }: Payload): boolean =>
  !preflight && !draft && Number(status) > CONVERSATION_STATUS.temporary;

type FrameHead = Omit<TopicFrame, 'bytes'>;
type FrameContent = FrameHead & { message: object };

const conversationFrames =
  (method: TopicFrame['method']) =>
  (conversation: Payload): FrameContent[] => {
    const common = { method, id: textOf(conversation._id), people: peopleOf(conversation) };
    if (conversation.preflight && method === 'CREATE') return [];
    const record = { ...common, key: `requests/${textOf(conversation.request_id)}`, message: conversation };
    if (!isListed(conversation)) return [record];
    return [record, { ...common, key: 'requests', message: withSnapshotAgents(conversation) }];
  };

const messageFrames = (message: Payload): FrameContent[] => {
  if (message.channel_type === 'direct') return [];
  const people = peopleOf((message.request ?? {}) as Payload);
  const key = `requests/${textOf(message.recipient)}/messages`;
  return [{ key, method: 'CREATE', id: textOf(message._id), people, message }];
};

const memberFrames = (member: Payload): FrameContent[] => {
  const common = { method: 'UPDATE' as const, id: textOf(member._id), message: member };
  return [`project_users/${common.id}`, `project_users/users/${idOf(member.id_user) || textOf(member.uuid_user)}`].map(
    (key) => ({ ...common, key }),
  );
};

const typingFrame = (event: Payload, conversation: Payload): FrameContent => ({
  key: `requests/${textOf(conversation.request_id)}/typing`,
  ...{ method: 'CREATE', id: textOf(event._id), people: peopleOf(conversation), message: event },
});

const customEventFrames = (event: Payload): FrameContent[] => {
  const key = `events/${idOf(event.project_user)}`;
  const name = textOf(event.name);
  const names = new Set([name, name.replace(CUSTOM_EVENT_PREFIX, '')]);
  const common = { method: 'CREATE' as const, id: textOf(event._id), message: event };
  const frames = [key, ...[...names].map((each) => `${key}/${each}`)].map((each) => ({ ...common, key: each }));
  return event.request ? [...frames, typingFrame(event, event.request as Payload)] : frames;
};

const botFrames = (bot: Payload): FrameContent[] => {
  const id = textOf(bot._id);
  return [{ key: `bots/${id}`, method: 'UPDATE', id, message: bot }];
};

const frameBuilders: Record<string, (payload: Payload) => FrameContent[]> = {
  'request.create': conversationFrames('CREATE'),
  'request.update': conversationFrames('UPDATE'),
  'message.create': messageFrames,
  'project_user.update': memberFrames,
  'faqbot.update': botFrames,
  [CUSTOM_EVENT_PREFIX]: customEventFrames,
};

/**
 * Returns the frames for the record of a change. Returns none if the payload is only `{ _id, gone: true }`: the record
 * was deleted before the relay read it, and its last view was not stored.
 */
const recordFrames = ({ event, text }: SerializedChange): FrameContent[] => {
  const buildFrames = frameBuilders[event.startsWith(CUSTOM_EVENT_PREFIX) ? CUSTOM_EVENT_PREFIX : event];
  if (!buildFrames) return [];
  const { payload } = JSON.parse(text) as { payload: Payload };
  return payload.id_project ? buildFrames(payload) : [];
};

/** Returns the frames for two topics: all changes, and the changes with the event name of this change. */
const changeHeads = ({ event }: SerializedChange): FrameHead[] =>
  ['changes', `changes/${event}`].map((key) => ({ key, method: 'CREATE', id: '' }));

const toFrames = (change: SerializedChange, project: string): TopicFrame[] => {
  const frame = (head: FrameHead, json: () => string): TopicFrame => {
    let bytes: Buffer | undefined;
    const { key, method } = head;
    const createBytes = () =>
      Buffer.from(publishFrame({ topic: `/${project}/${key}`, method, json: json(), cursor: change.cursor }));
    return { ...head, bytes: () => (bytes ??= createBytes()) };
  };
  return [
    ...recordFrames(change).map(({ message, ...head }) => frame(head, () => JSON.stringify(message))),
    ...changeHeads(change).map((head) => frame(head, () => change.text)),
  ];
};

/** Maximum estimated size of the cache, which keeps frames for the sockets that have not read them yet. */
const MAX_CACHED_BYTES = 32_000_000;
/** Estimated memory per character of a change: its text, its parsed payload and its frames. */
const BYTES_PER_CHARACTER = 6;
const ENTRY_BYTES = 200;

const cache = new LRUCache<SerializedChange, TopicFrame[]>({
  maxSize: MAX_CACHED_BYTES,
  sizeCalculation: (_, { text }) => ENTRY_BYTES + BYTES_PER_CHARACTER * text.length,
});

/** Returns the frames of a change of a project: one for each topic that the change concerns. */
export const framesOf = (change: SerializedChange, project: string): TopicFrame[] => {
  const cached = cache.get(change);
  if (cached) return cached;
  const frames = toFrames(change, project);
  cache.set(change, frames);
  return frames;
};
