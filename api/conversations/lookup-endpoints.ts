/** Conversation lookups for integrations and bots. */
import { z } from 'zod';
import { botVariables } from '#shared/domain/conversations/bots/bot-variables.ts';
import { findProject } from '#shared/domain/conversations/find-project.ts';
import { endpoint } from '../http/endpoint.ts';

export default [
  endpoint({
    method: 'get',
    path: '/v3/requests_util/lookup/id_project/:request_id',
    role: 'any',
    summary: "Find which of the caller's projects contains a conversation",
    reply: z.strictObject({ id_project: z.string() }),
    handle: async ({ params: { request_id }, actor }) => ({ id_project: await findProject(request_id, actor) }),
  }),
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/chatbot/parameters',
    role: 'agent',
    programs: 'all',
    summary: 'Get a conversation with its lead, department and attributes as variables for bots',
    reply: z.record(z.string(), z.unknown()),
    handle: ({ project: id_project, params: { request_id } }) => botVariables({ id_project, request_id }),
  }),
];
