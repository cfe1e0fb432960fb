import { z } from 'zod';
import { newUuid } from '#shared/context.ts';
import { create } from '#shared/domain/conversations/conversations.ts';
import * as closing from '#shared/domain/conversations/closing.ts';
import * as requests from '#shared/domain/conversations/requests.ts';
import { withTranscript } from '#shared/domain/conversations/transcripts.ts';
import {
  BareRequestView,
  BareVisitorRequestView,
  ClosedRequestView,
  ReadRequestView,
  RequestView,
  VisitorRequestView,
} from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { ownOf, within } from './filter.ts';
import { Closing, NewRequest } from './input.ts';
import { listOf } from './lists.ts';
import { RequestsQuery } from './query.ts';

const ROOT = '/v3/:project_id/requests';

const listed = <V extends z.ZodType>(request: V) =>
  z.strictObject({ perPage: z.number(), count: z.number(), requests: z.array(request) });

const generated = (project: string): string => `support-group-${project}-${newUuid().replaceAll('-', '')}`;

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'List conversations; an agent sees those it could have been given and those it takes part in',
    query: RequestsQuery,
    reply: listed(z.union([RequestView, BareRequestView])),
    handle: async ({ project, query, actor }) => {
      const { stored, ...page } = await listOf(project, query, within(actor));
      return { ...page, requests: query.no_populate ? stored.map(requests.bare) : await requests.show(stored) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/me`,
    role: 'guest',
    bots: true,
    summary: "List the caller's own conversations, as their visitor sees them",
    query: RequestsQuery,
    reply: listed(z.union([VisitorRequestView, BareVisitorRequestView])),
    handle: async ({ project, query, actor }) => {
      const { stored, ...page } = await listOf(project, query, ownOf(actor));
      if (query.no_populate)
        return { ...page, requests: stored.map((request) => BareVisitorRequestView.parse(requests.bare(request))) };
      return { ...page, requests: (await requests.show(stored)).map(requests.forVisitor) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:request_id`,
    role: 'agent',
    bots: true,
    summary: 'One conversation',
    reply: ReadRequestView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      withTranscript(await requests.read({ id_project, request_id })),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary:
      'Open a conversation in which nothing is said yet; its lead, requester and department are told by their ids',
    errors: { 409: 'There is a conversation of this `request_id`' },
    body: NewRequest,
    reply: BareRequestView,
    handle: async ({ project: id_project, body: { request_id = generated(id_project), ...given }, actor }) =>
      requests.bare(await create({ id_project, request_id }, given, actor)),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/:request_id/close`,
    record: { in: 'requests', by: 'request_id' },
    role: 'agent',
    bots: true,
    summary: 'Close a conversation; an agent only one that it takes part in. Closing a closed one changes nothing',
    body: Closing,
    reply: ClosedRequestView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      withTranscript(await requests.showOne(await closing.close({ id_project, request_id }, actor, body))),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/:request_id/reopen`,
    record: { in: 'requests', by: 'request_id' },
    role: 'agent',
    bots: true,
    summary: 'Open a conversation again; its participants are kept. An open one is left as it is',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      requests.showOne(await closing.reopen({ id_project, request_id })),
  }),
];
