/** Endpoints that list and count conversations. */
import { z } from 'zod';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import {
  ConversationRefView,
  ConversationView,
  VisitorConversationRefView,
  VisitorConversationView,
} from '#shared/models/conversation.ts';
import { endpoint } from '../http/endpoint.ts';
import { NextCursor } from '../http/request/cursor.ts';
import { CountsQuery, CountsReply, countConversations } from './counts.ts';
import { ownConversationsFilter, visibilityFilter } from './visibility.ts';
import { listConversations } from './list-query.ts';
import { ConversationsQuery } from './query-input.ts';
import { searchColumns } from './search.ts';

const BASE_PATH = '/v3/:project_id/requests';

const listReply = <V extends z.ZodType>(conversation: V) =>
  z.strictObject({
    perPage: z.number(),
    count: z
      .number()
      .meta({ description: 'Number of matches; with `full_text`, of those found so far; 0 if counting is skipped' }),
    next_cursor: NextCursor,
    requests: z.array(conversation),
  });

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'List conversations. Agents see only conversations that they were eligible for or participate in',
    query: ConversationsQuery,
    reply: listReply(z.union([ConversationView.extend(searchColumns), ConversationRefView.extend(searchColumns)])),
    handle: async ({ project, query, actor }) => {
      const scope = { scopeFilter: visibilityFilter(actor), isVisitor: !conversations.isTeam(actor) };
      const { stored, columnsOf, ...page } = await listConversations(project, query, scope);
      const views = query.no_populate ? stored.map(conversations.refView) : await conversations.teamViews(stored);
      return { ...page, requests: views.map((view) => ({ ...view, ...columnsOf(view.request_id) })) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/me`,
    role: 'guest',
    programs: 'all',
    summary: "List the caller's own conversations, with the fields that visitors may see",
    query: ConversationsQuery.omit({ segment: true }), // visitors must not learn which leads a segment contains
    reply: listReply(
      z.union([VisitorConversationView.extend(searchColumns), VisitorConversationRefView.extend(searchColumns)]),
    ),
    handle: async ({ project, query, actor }) => {
      const { stored, columnsOf, ...page } = await listConversations(project, query, {
        scopeFilter: ownConversationsFilter(actor),
        isVisitor: true,
      });
      const views = query.no_populate
        ? stored.map((conversation) => VisitorConversationRefView.parse(conversations.refView(conversation)))
        : (await conversations.teamViews(stored)).map(conversations.visitorView);
      return { ...page, requests: views.map((view) => ({ ...view, ...columnsOf(view.request_id) })) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/count`,
    role: 'agent',
    programs: 'all',
    summary:
      'Count unassigned and assigned conversations, or the open and closed conversations of the current billing month',
    query: CountsQuery,
    reply: CountsReply,
    handle: ({ project, query }) => countConversations(project, query),
  }),
];
