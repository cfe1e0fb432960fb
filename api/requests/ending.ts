/** How a conversation ends, begins again, and is removed (contract b 1.9, 1.10, 1.18, 1.20). */
import { z } from 'zod';
import * as closing from '#shared/domain/conversations/closing.ts';
import { removeRecord, remove } from '#shared/domain/conversations/removing.ts';
import { forVisitor, isTeam, showOne } from '#shared/domain/conversations/requests.ts';
import { withOwnTranscript, withTranscript } from '#shared/domain/conversations/transcripts.ts';
import { ClosedRequestView, ClosedVisitorRequestView, RequestView } from '#shared/models/request.ts';
import { endpoint } from '../http/endpoint.ts';
import { Removed, removed } from '../http/removed.ts';
import { Closing } from './input.ts';
import { record } from './record.ts';

const ROOT = '/v3/:project_id/requests';
const ONE = `${ROOT}/:request_id`;

export default [
  endpoint({
    method: 'put',
    path: `${ONE}/close`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Close a conversation; an agent only one that it takes part in. Closing a closed one changes nothing',
    body: Closing,
    reply: ClosedRequestView,
    handle: async ({ project: id_project, params: { request_id }, body, actor }) =>
      withTranscript(await showOne(await closing.close({ id_project, request_id }, actor, body))),
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/closeg`,
    record,
    role: 'guest',
    bots: true,
    summary:
      'Close a conversation of which one is the visitor. Closing a closed one changes nothing, and answers it without its transcript',
    reply: z.union([ClosedRequestView, ClosedVisitorRequestView]),
    handle: async ({ project: id_project, params: { request_id }, actor }) => {
      const { request, wasOpen } = await closing.closeOwn({ id_project, request_id }, actor);
      const shown = await showOne(request);
      if (!wasOpen) return isTeam(actor) ? shown : forVisitor(shown);
      return isTeam(actor) ? withTranscript(shown) : withOwnTranscript(forVisitor(shown));
    },
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/reopen`,
    record,
    role: 'agent',
    bots: true,
    summary: 'Open a conversation again; its participants are kept. An open one is left as it is',
    reply: RequestView,
    handle: async ({ project: id_project, params: { request_id } }) =>
      showOne(await closing.reopen({ id_project, request_id })),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record,
    role: 'owner',
    summary: 'Remove a conversation with all that was said in it',
    reply: RequestView,
    handle: ({ project: id_project, params: { request_id } }) => remove({ id_project, request_id }),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/id/:id`,
    record: { in: 'requests', by: 'id' },
    role: 'owner',
    summary: 'Remove a conversation by its `_id`; what was said in it stays',
    reply: Removed,
    handle: async ({ project, params: { id } }) => {
      await removeRecord(project, id);
      return removed(1);
    },
  }),
];
