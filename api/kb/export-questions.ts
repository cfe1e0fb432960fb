/** Exports a log of questions as CSV or JSON. The log is read while the export is sent. */
import type {
  AnsweredQuestion,
  QuestionLog,
  UnansweredQuestion,
} from '#shared/domain/knowledge/question-log/question-logs.ts';
import { currentTime } from '#shared/time/clock.ts';
import { csv } from '../http/response/csv.ts';

const MAX_ROWS = 100_000;
const COLUMNS = ['id', 'namespace', 'question', 'request_id', 'createdAt'] as const;
const ANSWERED_COLUMNS = [...COLUMNS, 'answer', 'tokens'] as const;

type LoggedQuestion = AnsweredQuestion | UnansweredQuestion;

async function* toRows(questions: AsyncIterable<LoggedQuestion>) {
  for await (const { _id: id, ...question } of questions) yield { id, ...question };
}

async function* toJson(namespace: string, questions: AsyncIterable<LoggedQuestion>): AsyncGenerator<string> {
  const head = JSON.stringify({ namespace, exportedAt: currentTime() }).slice(0, -1);
  let count = 0;
  yield `${head},"questions":[`;
  for await (const question of questions) {
    yield (count ? ',' : '') + JSON.stringify(question);
    count += 1;
  }
  yield `],"count":${count}}`;
}

/** Yields the text of an export: the questions of a namespace, newest first, at most 100,000. */
export const exportQuestions = (
  log: Pick<QuestionLog<LoggedQuestion>, 'stream'>,
  { project, namespace }: { project: string; namespace: string },
  { mode, isAnswered }: { mode: 'csv' | 'json'; isAnswered: boolean },
): AsyncIterable<string> => {
  const questions = log.stream(project, namespace, MAX_ROWS);
  if (mode === 'json') return toJson(namespace, questions);
  return csv<(typeof ANSWERED_COLUMNS)[number]>(isAnswered ? ANSWERED_COLUMNS : COLUMNS, toRows(questions));
};
