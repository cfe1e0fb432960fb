/** The messages of a conversation (contract b 3). */
import { z } from 'zod';
import { type Posted, post } from '#shared/domain/conversations/conversations.ts';
import { importAll } from '#shared/domain/conversations/importing.ts';
import * as messages from '#shared/domain/conversations/messages.ts';
import { forVisitor, isTeam, type Speaker, showOne } from '#shared/domain/conversations/requests.ts';
import {
  MessageView,
  PostedMessageView,
  VisitorMessageView,
  VisitorPostedMessageView,
} from '#shared/models/message.ts';
import { wire } from '#shared/wire-profile.ts';
import { endpoint } from '../http/endpoint.ts';
import beside from './beside.ts';
import exports from './exports.ts';
import { ImportInput, MessageInput } from './input.ts';
import { listing, paged, wantedOf } from './paging.ts';

const ROOT = '/v3/:project_id/requests/:request_id/messages';
const Seen = z.union([MessageView, VisitorMessageView]);

const seenBy = async (by: Speaker, { message, request }: Posted) => {
  const shown = await showOne(request, { live: false });
  if (isTeam(by)) return { ...message, request: shown };
  return { ...VisitorMessageView.parse(message), request: forVisitor(shown) };
};

export default [
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'guest',
    bots: true,
    summary: 'Post a message; an unknown `request_id` opens a conversation. A visitor posts to its own ones only',
    body: MessageInput,
    reply: z.union([PostedMessageView, VisitorPostedMessageView]),
    handle: async ({ project: id_project, params: { request_id }, body, actor, ip }) =>
      seenBy(actor, await post({ id_project, request_id }, { ...body, address: ip }, actor)),
  }),
  endpoint({
    method: 'post',
    path: `${ROOT}/multi`,
    role: 'guest',
    bots: true,
    size: 'bulk',
    summary:
      'Import messages into a conversation, all or none of them wrong. Sent again under the same names or key, it completes what is missing',
    errors: { 503: '`stored` names those that are in; sent again, the call completes them' },
    body: ImportInput,
    reply: z.union([Seen, z.array(Seen)]),
    handle: async ({ project: id_project, params: { request_id }, body, actor }) => {
      const imported = await importAll({ id_project, request_id }, body, actor);
      const seen = imported.map(messages.seenBy(actor));
      return wire.importAnswersAll ? seen : (seen[0] as (typeof seen)[0]);
    },
  }),
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'guest',
    bots: true,
    summary:
      'The newest messages of a conversation in their order; a visitor sees those of its own ones, without private ones',
    query: z.object(paged),
    lists: true,
    reply: z.array(Seen),
    handle: async ({ project: id_project, params: { request_id }, query, actor }) =>
      listing(await messages.list({ id_project, request_id }, actor, wantedOf(query))),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:message_id`,
    role: 'guest',
    bots: true,
    summary: 'One message of a conversation',
    reply: Seen,
    handle: ({ project: id_project, params: { request_id, message_id }, actor }) =>
      messages.find({ id_project, request_id }, message_id, actor),
  }),
  ...beside,
  ...exports,
];
