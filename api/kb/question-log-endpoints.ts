/** Endpoints for the logs of answered and unanswered questions. The two logs differ only in their fields. */
import { z } from 'zod';
import {
  type AnsweredQuestion,
  answeredQuestions,
  assertNamespace,
  type QuestionLog,
  unansweredQuestions,
} from '#shared/domain/knowledge/question-log/question-logs.ts';
import { KbAnsweredQuestionView, KbUnansweredQuestionView } from '#shared/models/kb-question.ts';
import { Time } from '#shared/wire/view.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { CSV_MEDIA_TYPE } from '../http/response/csv.ts';
import { exportQuestions } from './export-questions.ts';
import { ExportQuery, NewAnsweredQuestion, NewQuestion, QuestionsQuery } from './input.ts';

/** Either log, typed as the log of answered questions, whose questions have more fields. */
type AnyLog = QuestionLog<AnsweredQuestion>;

/** The parts in which the endpoints of the two logs differ. */
interface LogDeclaration {
  kind: 'answered' | 'unanswered';
  log: AnyLog;
  input: typeof NewQuestion | typeof NewAnsweredQuestion;
  view: typeof KbUnansweredQuestionView | typeof KbAnsweredQuestionView;
  missingParameterErrors: Record<string, string>;
}

const PageView = z.strictObject({
  ...{ page: z.number(), limit: z.number(), sortField: z.string(), direction: z.number() },
  search: z.string().optional(),
});

const readPage = async (
  log: AnyLog,
  key: { project: string; namespace: string },
  query: z.output<typeof QuestionsQuery>,
) => {
  const { search } = query;
  const { sort, skip, ...page } = parsePage(query, { sortField: 'createdAt', limit: 20 });
  const [count, questions] = await Promise.all([
    log.count(key.project, key.namespace, search),
    log.list(key.project, key.namespace, { sort, skip, limit: page.limit, search }),
  ]);
  return { count, questions, query: { ...page, ...(search ? { search } : {}) } };
};

const ACCESS = { role: 'admin', programs: 'all' } as const;

const readEndpoints = ({ kind, log, view }: LogDeclaration) => [
  endpoint({
    method: 'get',
    path: `/v3/:project_id/kb/${kind}/count/:namespace`,
    ...ACCESS,
    summary: `Count the ${kind} questions of a knowledge base`,
    reply: z.strictObject({ count: z.number() }),
    handle: async ({ project, params }) => {
      await assertNamespace(project, params.namespace);
      return { count: await log.count(project, params.namespace) };
    },
  }),
  endpoint({
    method: 'get',
    path: `/v3/:project_id/kb/${kind}/:namespace`,
    ...ACCESS,
    summary: `List the ${kind} questions of a knowledge base`,
    query: QuestionsQuery,
    reply: z.strictObject({ count: z.number(), questions: z.array(view), query: PageView }),
    handle: async ({ project, params, query }) => {
      await assertNamespace(project, params.namespace);
      return readPage(log, { project, namespace: params.namespace }, query);
    },
  }),
  endpoint({
    method: 'get',
    path: `/v3/:project_id/kb/${kind}/:namespace/export`,
    ...ACCESS,
    summary: `Export the ${kind} questions of a knowledge base as CSV, or as JSON with \`mode=json\``,
    query: ExportQuery,
    alternative: CSV_MEDIA_TYPE,
    reply: z.strictObject({ namespace: z.string(), exportedAt: Time, count: z.number(), questions: z.array(view) }),
    handle: async ({ project, params: { namespace }, query: { mode } }) => {
      await assertNamespace(project, namespace);
      const pieces = exportQuestions(log, { project, namespace }, { mode, isAnswered: kind === 'answered' });
      return new Download(pieces, `${kind}-${namespace}.${mode}`);
    },
  }),
];

const writeEndpoints = ({ kind, log, input, view, missingParameterErrors }: LogDeclaration) => [
  endpoint({
    method: 'post',
    path: `/v3/:project_id/kb/${kind}`,
    ...ACCESS,
    summary: `Record a question that the knowledge base ${kind === 'answered' ? 'has answered' : 'could not answer'}`,
    body: input,
    missingParameterErrors,
    reply: view,
    handle: async ({ project, body }) => {
      await assertNamespace(project, body.namespace);
      return log.add(project, body as z.output<typeof NewAnsweredQuestion>);
    },
  }),
  endpoint({
    method: 'delete',
    path: `/v3/:project_id/kb/${kind}/:id`,
    ...ACCESS,
    record: { collection: `kb_${kind}`, parameter: 'id' },
    summary: `Delete ${kind === 'answered' ? 'an answered' : 'an unanswered'} question`,
    reply: z.strictObject({ success: z.literal(true), message: z.string() }),
    handle: async ({ project, params }) => {
      await log.remove(project, params.id);
      return { success: true as const, message: 'Question deleted successfully' };
    },
  }),
  endpoint({
    method: 'delete',
    path: `/v3/:project_id/kb/${kind}/namespace/:namespace`,
    ...ACCESS,
    summary: `Delete all ${kind} questions of a knowledge base`,
    reply: z.strictObject({ success: z.literal(true), count: z.number(), message: z.string() }),
    handle: async ({ project, params }) => {
      await assertNamespace(project, params.namespace);
      const count = await log.removeAll(project, params.namespace);
      return { success: true as const, count, message: 'All questions deleted successfully' };
    },
  }),
];

const logEndpoints = (declaration: LogDeclaration) => [...readEndpoints(declaration), ...writeEndpoints(declaration)];

const missingErrors = (names: string[], message: string) => Object.fromEntries(names.map((name) => [name, message]));

export default [
  ...logEndpoints({
    kind: 'unanswered',
    log: unansweredQuestions as unknown as AnyLog,
    input: NewQuestion,
    view: KbUnansweredQuestionView,
    missingParameterErrors: missingErrors(
      ['namespace', 'question'],
      'Missing required parameters: namespace and question',
    ),
  }),
  ...logEndpoints({
    kind: 'answered',
    log: answeredQuestions,
    input: NewAnsweredQuestion,
    view: KbAnsweredQuestionView,
    missingParameterErrors: missingErrors(
      ['namespace', 'question', 'answer'],
      'Missing required parameters: namespace, question and answer',
    ),
  }),
];
