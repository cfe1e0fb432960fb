/** What programs ask of a conversation (contract b 1.19). */
import { z } from 'zod';
import { variablesOf } from '#shared/domain/conversations/variables.ts';
import { projectOf } from '#shared/domain/conversations/whereabouts.ts';
import { endpoint } from '../http/endpoint.ts';

export default [
  endpoint({
    method: 'get',
    path: '/v3/requests_util/lookup/id_project/:request_id',
    role: 'any',
    summary: "The one of the caller's projects that has this conversation",
    reply: z.strictObject({ id_project: z.string() }),
    handle: async ({ params: { request_id }, actor }) => ({ id_project: await projectOf(request_id, actor) }),
  }),
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/chatbot/parameters',
    role: 'agent',
    bots: true,
    summary: 'The conversation, its lead, its department and its attributes as variables for bots',
    reply: z.record(z.string(), z.unknown()),
    handle: ({ project: id_project, params: { request_id } }) => variablesOf({ id_project, request_id }),
  }),
];
