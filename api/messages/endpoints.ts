/** Endpoints for the messages of a conversation. */
import { z } from 'zod';
import { type Actor, isTeam, teamView, visitorView } from '#shared/domain/conversations/conversation.ts';
import { importMessages } from '#shared/domain/conversations/posting/import-messages.ts';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import { type PostedMessage, post } from '#shared/domain/conversations/posting/post-message.ts';
import {
  MessageView,
  PostedMessageView,
  VisitorMessageView,
  VisitorPostedMessageView,
} from '#shared/models/message.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { endpoint } from '../http/endpoint.ts';
import projectMessages from './direct-messages.ts';
import exports from './export-endpoints.ts';
import { ImportInput, MessageInput } from './input.ts';
import { messagePagingQuery, toListing, toPageRequest } from './message-paging.ts';

const BASE_PATH = '/v3/:project_id/requests/:request_id/messages';
const VisibleMessageView = z.union([MessageView, VisitorMessageView]);

const toPostedReply = async (actor: Actor, { message, request }: PostedMessage) => {
  const conversation = await teamView(request, { live: false });
  if (isTeam(actor)) return { ...message, request: conversation };
  return { ...VisitorMessageView.parse(message), request: visitorView(conversation) };
};

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'guest',
    programs: 'all',
    summary:
      'Post a message. An unknown `request_id` opens a conversation. Visitors can post only to their own conversations',
    body: MessageInput,
    reply: z.union([PostedMessageView, VisitorPostedMessageView]),
    handle: async ({ project: id_project, params: { request_id }, body, actor, ip }) =>
      toPostedReply(actor, await post({ id_project, request_id }, { ...body, address: ip }, actor)),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/multi`,
    role: 'guest',
    programs: 'all',
    bodySize: 'bulk',
    summary:
      'Import messages into a conversation. If a message is invalid, none is stored. Repeating an interrupted call stores the missing messages',
    errors: { 503: 'Only the messages in `stored` were stored. Repeat the call to store the other messages' },
    body: ImportInput,
    reply: z.union([VisibleMessageView, z.array(VisibleMessageView)]),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const imported = await importMessages({ id_project, request_id }, body, actor);
      const visible = imported.map(messages.viewFor(actor));
      return compatibility.importReturnsAll ? visible : (visible[0] as (typeof visible)[0]);
    },
  }),
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'guest',
    programs: 'all',
    summary: 'List the newest messages of a conversation in chronological order. Visitors see no private messages',
    query: z.object(messagePagingQuery),
    lists: true,
    reply: z.array(VisibleMessageView),
    handle: async ({ project: id_project, params: { request_id }, query, actor }) =>
      toListing(await messages.list({ id_project, request_id }, actor, toPageRequest(query))),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:message_id`,
    role: 'guest',
    programs: 'all',
    summary: 'Get a message of a conversation',
    reply: VisibleMessageView,
    handle: ({ project: id_project, params: { request_id, message_id }, actor }) =>
      messages.find({ id_project, request_id }, message_id, actor),
  }),
  ...projectMessages,
  ...exports,
];
