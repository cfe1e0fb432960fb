/** Reads the state of a topic: the first frame that a client receives when it subscribes without a cursor. */
import * as bots from '#shared/domain/bots/bots.ts';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import { CUSTOM_EVENT_PREFIX } from '#shared/domain/events/custom-event-names.ts';
import { listNewest } from '#shared/domain/events/custom-events.ts';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import * as teammates from '#shared/domain/team/membership-views.ts';
import { unlessNotFound } from '#shared/errors.ts';
import { CONVERSATION_STATUS, Conversation, VisitorConversationRefView } from '#shared/models/conversation.ts';
import type { Actor } from '../../http/auth/authenticate.ts';
import { visibilityFilter } from '../../conversations/visibility.ts';
import { withSnapshotAgents } from './change-frames.ts';
import type { Topic, TopicKind } from './topics.ts';

const MAX_CONVERSATIONS = 100;
const MAX_MESSAGES = 300;
/** Maximum number of messages in a state if MAX_MESSAGES messages are too large to buffer. */
const MAX_LONG_MESSAGES = 20;
const MAX_EVENTS = 20;

type StateReader = (actor: Actor, topic: Topic) => Promise<unknown>;

const LISTED_STATUS = {
  $gt: CONVERSATION_STATUS.temporary,
  $lt: CONVERSATION_STATUS.closed,
  $ne: CONVERSATION_STATUS.abandoned,
};

const readConversations: StateReader = async (actor, { project: id_project }) => {
  const listed = { id_project, preflight: false, draft: { $ne: true }, status: LISTED_STATUS };
  const page = { sort: { updatedAt: -1 } as const, skip: 0, limit: MAX_CONVERSATIONS };
  const found = await conversations.list({ ...listed, ...visibilityFilter(actor) }, page);
  const views = found.map(conversations.refView);
  return conversations.isTeam(actor)
    ? views.map(withSnapshotAgents)
    : views.map((view) => VisitorConversationRefView.parse(view));
};

const keyOf = ({ project: id_project, id: request_id }: Topic) => ({ id_project, request_id });

/** Returns null for a conversation that does not exist yet, or that the caller may not see. */
const readConversation: StateReader = async (actor, topic) => {
  const key = keyOf(topic);
  if (!(await Conversation.exists({ ...key, ...visibilityFilter(actor) }))) return null;
  const stored = await conversations.lookUp(key);
  if (!stored) return null;
  const view = await conversations.teamView(stored);
  return conversations.isTeam(actor) ? view : conversations.visitorView(view);
};

const readMessages: StateReader = async (actor, topic) => {
  const key = keyOf(topic);
  if (!(await Conversation.exists({ ...key, ...visibilityFilter(actor) }))) return [];
  const { messages: newest } = await messages.list(key, actor, { limit: MAX_MESSAGES });
  if (Array.isArray(newest)) return newest;
  const { messages: fewer } = await messages.list(key, actor, { limit: MAX_LONG_MESSAGES });
  return Array.isArray(fewer) ? fewer : Array.fromAsync(fewer);
};

const readMember: StateReader = (_, { project, id }) => unlessNotFound(() => teammates.read(project, id));

const readMemberByUser: StateReader = (_, { project, id }) => unlessNotFound(() => teammates.readByUser(project, id));

const readEvents: StateReader = (_, { project, id, name }) => {
  const names = name && (name.startsWith(CUSTOM_EVENT_PREFIX) ? [name] : [name, CUSTOM_EVENT_PREFIX + name]);
  return listNewest(project, { project_user: id, ...(names && { names }) }, MAX_EVENTS);
};

const readBot: StateReader = (_, { project, id }) => unlessNotFound(() => bots.read(project, id));

/**
 * The topics `changes` and `typing` have no initial state. A client of `changes` receives the changes after its cursor,
 * or only new changes if it sends no cursor. Typing events matter only while they are recent.
 */
const readNothing: StateReader = () => Promise.resolve([]);

const readers: Record<TopicKind, StateReader> = {
  requests: readConversations,
  request: readConversation,
  messages: readMessages,
  typing: readNothing,
  project_user: readMember,
  project_user_by_user: readMemberByUser,
  events: readEvents,
  bot: readBot,
  changes: readNothing,
};

/** Reads the state of a topic as the actor may see it: a list, a record, or null. */
export const readState = (actor: Actor, topic: Topic): Promise<unknown> => readers[topic.kind](actor, topic);
