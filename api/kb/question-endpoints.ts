/** Endpoints for unanswered questions. */
import { z } from 'zod';
import * as questions from '#shared/domain/knowledge/unanswered-questions.ts';
import { KbQuestionView } from '#shared/models/kb-question.ts';
import { endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { NewQuestion, QuestionsQuery } from './input.ts';

const BASE_PATH = '/v3/:project_id/kb/unanswered';
const MISSING_PARAMETERS = 'Missing required parameters: namespace and question';

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    bots: true,
    summary: 'Record a question that the knowledge base could not answer',
    body: NewQuestion,
    missingParameterErrors: { namespace: MISSING_PARAMETERS, question: MISSING_PARAMETERS },
    reply: KbQuestionView,
    handle: async ({ project, body }) => {
      await questions.assertNamespace(project, body.namespace);
      return questions.add(project, body);
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/count/:namespace`,
    role: 'admin',
    bots: true,
    summary: 'Count the unanswered questions of a knowledge base',
    reply: z.strictObject({ count: z.number() }),
    handle: async ({ project, params }) => {
      await questions.assertNamespace(project, params.namespace);
      return { count: await questions.count(project, params.namespace) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:namespace`,
    role: 'admin',
    bots: true,
    summary: 'List the unanswered questions of a knowledge base',
    query: QuestionsQuery,
    reply: z.strictObject({
      count: z.number(),
      questions: z.array(KbQuestionView),
      query: z.strictObject({ page: z.number(), limit: z.number(), sortField: z.string(), direction: z.number() }),
    }),
    handle: async ({ project, params, query }) => {
      await questions.assertNamespace(project, params.namespace);
      const { page, limit, sortField, direction, sort, skip } = parsePage(query, { sortField: 'createdAt', limit: 20 });
      const [count, found] = await Promise.all([
        questions.count(project, params.namespace),
        questions.list(project, params.namespace, { sort, skip, limit }),
      ]);
      return { count, questions: found, query: { page, limit, sortField, direction } };
    },
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:id`,
    record: { collection: 'kb_unanswered', parameter: 'id' },
    role: 'admin',
    bots: true,
    summary: 'Delete an unanswered question',
    reply: z.strictObject({ success: z.literal(true), message: z.string() }),
    handle: async ({ project, params }) => {
      await questions.remove(project, params.id);
      return { success: true as const, message: 'Question deleted successfully' };
    },
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/namespace/:namespace`,
    role: 'admin',
    bots: true,
    summary: 'Delete all unanswered questions of a knowledge base',
    reply: z.strictObject({ success: z.literal(true), count: z.number(), message: z.string() }),
    handle: async ({ project, params }) => {
      await questions.assertNamespace(project, params.namespace);
      const count = await questions.removeAll(project, params.namespace);
      return { success: true as const, count, message: 'All questions deleted successfully' };
    },
  }),
];
