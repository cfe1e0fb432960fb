/** The endpoint that answers questions from a knowledge base. */
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { endpoint } from '../http/endpoint.ts';
import { replyToQuestion } from './answer-question.ts';
import { checkEngines } from './check-engines.ts';
import { checkOptions } from './check-options.ts';
import { QaInput } from './qa-input.ts';
import { QaReply } from './qa-reply.ts';

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/kb/qa',
    role: 'admin',
    programs: 'all',
    streams: ({ stream, chunks_only }) => stream && !chunks_only,
    summary: 'Answer a question from the contents of a knowledge base. The reply includes the sources of the answer',
    aliases: [{ method: 'get' }],
    body: QaInput,
    missingParameterErrors: {
      namespace: "parameter 'namespace' is not defined",
      question: "parameter 'question' is not defined",
    },
    errors: {
      429: 'Too many requests, or the daily AI token budget of the project is exhausted (`AI_TOKEN_BUDGET_EXHAUSTED`)',
      502: 'The model rejected the request or ended its answer early',
      504: 'The model did not answer in time',
    },
    reply: QaReply,
    handle: async ({ project, body, signal }) => {
      const namespace = await namespaces.find(project, body.namespace);
      checkEngines(namespace, body);
      checkOptions(body);
      return replyToQuestion(body, { project, signal });
    },
  }),
];
