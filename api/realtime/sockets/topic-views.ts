/** The schemas of each topic's frames, for the AsyncAPI document. */
import { z } from 'zod';
import { BotView } from '#shared/models/bot.ts';
import {
  ConversationRefView,
  ConversationView,
  VisitorConversationRefView,
  VisitorConversationView,
} from '#shared/models/conversation.ts';
import { CustomEventPayloadView, CustomEventView, VisitorTypingView } from '#shared/models/custom-event.ts';
import { MessageEventView, MessageView, VisitorMessageView, VisitorPostedMessageView } from '#shared/models/message.ts';
import { TeammateEventView, TeammateView } from '#shared/models/project-user.ts';
import { view } from '#shared/wire/view.ts';
import type { TopicKind } from './topics.ts';

/** The record schemas of a topic. If there are two, visitors receive records of the second. */
export interface TopicViews {
  /** The topic without its project. */
  key: string;
  summary: string;
  /**
   * The record schemas of the initial state. The frame contains a list of records if `isList` is true; otherwise one
   * record, or null if it does not exist.
   */
  state: { isList: boolean; forms: z.ZodObject[] };
  /** The record schemas of later frames. */
  change: z.ZodObject[];
}

const snapshot = ConversationView.shape.snapshot.extend({
  agents: z.array(z.strictObject({ id_user: z.string() })).optional(),
});
const ListedConversationView = ConversationView.extend({ snapshot });
const ListedConversationRefView = ConversationRefView.extend({ snapshot });

const list = (...forms: z.ZodObject[]) => ({ isList: true, forms });
const record = (...forms: z.ZodObject[]) => ({ isList: false, forms });

/** A change, as `/changes` lists it. */
export const ChangeFrameView = view('ChangeFrame', {
  cursor: z.string(),
  id: z.string().meta({ description: 'Id of the event; the same on every delivery' }),
  event: z.string(),
  createdAt: z.iso.datetime(),
  payload: z.unknown().meta({ description: 'The same as in the message for this event on the `stream` channel' }),
});

/** The views of every topic. */
export const topicViews: Record<TopicKind, TopicViews> = {
  requests: {
    key: 'requests',
    summary: 'The open conversations that the caller may see',
    state: list(ListedConversationRefView, VisitorConversationRefView),
    change: [ListedConversationView, VisitorConversationView],
  },
  request: {
    key: 'requests/{request_id}',
    summary: 'A conversation',
    state: record(ConversationView, VisitorConversationView),
    change: [ConversationView, VisitorConversationView],
  },
  messages: {
    key: 'requests/{request_id}/messages',
    summary: 'The messages of a conversation',
    state: list(MessageView, VisitorMessageView),
    change: [MessageEventView, VisitorPostedMessageView],
  },
  typing: {
    key: 'requests/{request_id}/typing',
    summary: 'The typing events of a conversation. The initial state is empty',
    state: list(),
    change: [CustomEventPayloadView, VisitorTypingView],
  },
  project_user: {
    key: 'project_users/{project_user_id}',
    summary: "The caller's own membership",
    state: record(TeammateView),
    change: [TeammateEventView],
  },
  project_user_by_user: {
    key: 'project_users/users/{user_id}',
    summary: 'The membership of an account or visitor, with its presence',
    state: record(TeammateView),
    change: [TeammateEventView],
  },
  events: {
    key: 'events/{project_user_id}',
    summary: 'The custom events of a member; with `/{name}` only those of this name',
    state: list(CustomEventView),
    change: [CustomEventPayloadView],
  },
  bot: { key: 'bots/{bot_id}', summary: 'A bot', state: record(BotView), change: [BotView] },
  changes: {
    key: 'changes',
    summary: 'All changes of the project; with `/{event}` only those of this event. The initial state is empty',
    state: list(),
    change: [ChangeFrameView],
  },
};
