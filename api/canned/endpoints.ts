/** Canned responses (contract 4.11, b 8.2). */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import * as canned from '#shared/domain/conversations/canned.ts';
import { render } from '#shared/domain/conversations/canned-texts.ts';
import { CannedView } from '#shared/models/canned.ts';
import { FreeObject } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { paged, pageOf } from '../http/paging.ts';
import { Removed, removed } from '../http/removed.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/canned';
const ONE = `${ROOT}/:canned_id`;
const PAGE = 1000;

const Text = z
  .string()
  .min(1)
  .max(LIMITS.messageText)
  .meta({ description: '`$recipient_name` and `$agent_name` stand for names' });
const Title = z.string().trim().max(LIMITS.name).nullish();

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    summary: 'The canned responses that are shared, and your own',
    query: paged(['createdAt', 'updatedAt', 'title'], PAGE),
    reply: z.array(CannedView),
    handle: ({ project, query, actor }) =>
      canned.list(project, actor, pageOf(query, { sortField: 'createdAt', limit: PAGE })),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    role: 'agent',
    summary: 'One canned response that is shared or your own',
    reply: CannedView,
    handle: ({ project, params, actor }) => canned.read({ id_project: project, _id: params.canned_id }, actor),
  }),
  endpoint({
    method: 'get',
    path: `${ONE}/text`,
    role: 'agent',
    summary: 'What it says in a conversation: with your name and that of who is written to',
    query: z.object({ request_id: z.string().min(1).max(LIMITS.requestId).meta({ description: 'The conversation' }) }),
    reply: z.strictObject({ text: z.string() }),
    handle: async ({ project, params, query, actor }) => ({
      text: await render({ id_project: project, _id: params.canned_id }, query.request_id, actor),
    }),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    summary: 'Keep an answer ready',
    body: z.object({
      title: Title,
      text: Text,
      attributes: FreeObject.nullish(),
      shared: flag().nullish().meta({ description: "Always true for admins' and owners'" }),
    }),
    reply: CannedView,
    handle: ({ project, body: { text, ...more }, actor }) => canned.create(project, { text, ...given(more) }, actor),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'canned', by: 'canned_id' },
    role: 'agent',
    summary: 'Change a canned response: agents their own, others those that are shared too',
    body: z.object({ title: Title, text: Text.nullish(), attributes: FreeObject.nullish() }),
    reply: CannedView,
    handle: ({ project, params, body, actor }) =>
      canned.update({ id_project: project, _id: params.canned_id }, given(body), actor),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'canned', by: 'canned_id' },
    role: 'agent',
    summary: 'Put a canned response out of sight',
    reply: CannedView,
    handle: ({ project, params, actor }) => canned.hide({ id_project: project, _id: params.canned_id }, actor),
  }),
  endpoint({
    method: 'delete',
    path: `${ONE}/physical`,
    record: { in: 'canned', by: 'canned_id' },
    role: 'agent',
    summary: 'Remove a canned response for good',
    reply: Removed,
    handle: async ({ project, params, actor }) =>
      removed(await canned.remove({ id_project: project, _id: params.canned_id }, actor)),
  }),
];
