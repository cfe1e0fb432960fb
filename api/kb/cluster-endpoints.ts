/** Endpoints that list clusters of unanswered questions, answer a cluster with a FAQ, and correct a question. */
import { z } from 'zod';
import { listClusters, promoteCluster } from '#shared/domain/knowledge/question-log/clusters.ts';
import { assertNamespace, rephrase } from '#shared/domain/knowledge/question-log/question-logs.ts';
import { KbContentView } from '#shared/models/kb-content.ts';
import { KbUnansweredQuestionView } from '#shared/models/kb-question.ts';
import { KbQuestionClusterView } from '#shared/models/kb-question-cluster.ts';
import { endpoint } from '../http/endpoint.ts';
import { ClustersQuery, FaqInput, QuestionChange } from './input.ts';

const BASE_PATH = '/v3/:project_id/kb/unanswered';

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/clusters/:namespace`,
    role: 'admin',
    programs: 'all',
    summary:
      'List clusters of similar unanswered questions, largest first. New questions are clustered in the background, by default within a minute',
    query: ClustersQuery,
    reply: z.strictObject({
      count: z.number(),
      clusters: z.array(KbQuestionClusterView),
      query: z.strictObject({ page: z.number(), limit: z.number() }),
    }),
    handle: async ({ project, params: { namespace }, query: { page, limit } }) => {
      await assertNamespace(project, namespace);
      const found = await listClusters({ id_project: project, namespace }, { skip: page * limit, limit });
      return { ...found, query: { page, limit } };
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/clusters/:id/faq`,
    role: 'admin',
    programs: 'all',
    summary: 'Add a FAQ that answers a cluster. Once the FAQ is indexed, the questions of the cluster are asked again',
    body: FaqInput,
    missingParameterErrors: { answer: "parameter 'answer' is not defined" },
    reply: z.strictObject({ cluster: KbQuestionClusterView, content: KbContentView }),
    handle: ({ project, params, body }) => promoteCluster(project, params.id, body),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:id`,
    record: { collection: 'kb_unanswered', parameter: 'id' },
    role: 'admin',
    programs: 'all',
    summary: 'Change the text of an unanswered question',
    body: QuestionChange,
    missingParameterErrors: { question: 'Missing required parameter: question' },
    reply: KbUnansweredQuestionView,
    handle: ({ project, params, body }) => rephrase(project, params.id, body.question),
  }),
];
