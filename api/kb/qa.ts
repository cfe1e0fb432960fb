import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { endpoint } from '../http/endpoint.ts';
import { ask } from './asking.ts';
import { checkEngines } from './engines.ts';
import { QaInput } from './qa-input.ts';
import { QaReply } from './qa-reply.ts';

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/kb/qa',
    role: 'admin',
    bots: true,
    streams: true,
    summary: 'Answer a question from a knowledge base, with its sources',
    aliases: [{ method: 'get' }],
    body: QaInput,
    missing: { namespace: "parameter 'namespace' is not defined", question: "parameter 'question' is not defined" },
    errors: {
      429: 'Too many requests, or the AI tokens of the project are spent for today (`AI_TOKENS_SPENT`)',
      502: 'The model refused or broke off',
      504: 'The model took too long',
    },
    reply: QaReply,
    handle: async ({ project, body, signal }) => {
      const namespace = await namespaces.find(project, body.namespace);
      checkEngines(namespace, body);
      return ask(body, { project, signal });
    },
  }),
];
