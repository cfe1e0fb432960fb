/** Figures for messages. */
import { z } from 'zod';
import { seriesName } from '#shared/domain/analytics/series.ts';
import { listTeammateRemovals } from '#shared/domain/team/removed-teammates.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { DayCount, MonthCount, Total, ValueCount, WeekCount } from './elements.ts';
import { figure } from './figure.ts';
import {
  FigureQuery,
  lastDays,
  MONTH_DAYS,
  messageFilters,
  type PeriodQuery,
  periodOf,
  WEEK_DAYS,
  zoneOf,
} from './query-input.ts';
import {
  type DefaultDays,
  type FigureRows,
  readDayCounts,
  readMonthCounts,
  readTotal,
  readValueCounts,
  readWeekCounts,
} from './read-figures.ts';

const Query = FigureQuery.extend(messageFilters);
const DaysQuery = Query.extend(lastDays);
const CountQuery = Query.extend({
  attributes_answerid: z
    .string()
    .max(INPUT_LIMITS.name)
    .optional()
    .meta({ description: 'Only messages that contain this answer of a bot (`attributes._answerid`)' }),
});

interface MessageQuery extends PeriodQuery {
  department_id?: string;
  channel?: string;
  sender?: string;
  recipient?: string;
}

const rowsOf = (
  id_project: string,
  query: MessageQuery,
  { days, ...rows }: { days: DefaultDays; series: string; value?: string | null },
): FigureRows => ({
  ...{ id_project, subject: 'messages', ...rows, range: periodOf(query, days), zone: zoneOf(query) },
  ...(query.recipient && { conversation: query.recipient }),
});

/** Selects the messages of a query. */
const messageRows = (id_project: string, query: MessageQuery, days: DefaultDays): FigureRows => {
  const { department_id: department, channel, sender } = query;
  const series = seriesName(sender ? 'messages.sender' : 'messages', { department, channel });
  return rowsOf(id_project, query, { days, series, ...(sender && { value: sender }) });
};

/** Selects the messages of a query that contain the given answer of a bot, or any answer if `answer` is null. */
const answerRows = (
  id_project: string,
  query: MessageQuery,
  { days, answer }: { days: DefaultDays; answer: string | null },
): FigureRows => {
  const { department_id: department, channel, sender } = query;
  const series = seriesName('messages.answer', { department, channel, ...(sender && { sender }) });
  return rowsOf(id_project, query, { days, series, value: answer });
};

type SenderCounts = Awaited<ReturnType<typeof readValueCounts<'sender'>>>;

/**
 * Counts messages by sender. Messages that a teammate sent before being deleted from the team are not counted, even if
 * the teammate has returned.
 */
const readSenderCounts = async (
  project: string,
  query: MessageQuery & { notBefore: Date | null },
): Promise<SenderCounts> => {
  const { department_id: department, channel, sender = null } = query;
  const series = seriesName('messages.sender', { department, channel });
  const read = (value: string | null, notBefore = query.notBefore): Promise<SenderCounts> =>
    readValueCounts(rowsOf(project, { ...query, notBefore }, { days: WEEK_DAYS, series, value }), 'sender');
  if (sender !== null) return read(sender);
  const [counts, removals] = await Promise.all([read(null), listTeammateRemovals(project)]);
  const corrected = counts.map(async (row) => {
    const { sender: id = '' } = row._id;
    const removedAt = removals.get(id);
    return removedAt ? await read(id, removedAt) : [row];
  });
  return (await Promise.all(corrected)).flat();
};

export default [
  figure({
    path: 'messages/count',
    summary: 'Count the messages of the last 30 days',
    query: CountQuery,
    element: Total,
    read: (project, { attributes_answerid: answer, ...query }) =>
      readTotal(
        answer ? answerRows(project, query, { days: MONTH_DAYS, answer }) : messageRows(project, query, MONTH_DAYS),
      ),
  }),
  figure({
    path: 'messages/aggregate/day',
    summary: 'Count the messages of the last 30 days by day',
    query: DaysQuery,
    element: DayCount,
    read: (project, query) => readDayCounts(messageRows(project, query, MONTH_DAYS)),
  }),
  figure({
    path: 'messages/aggregate/week',
    summary: 'Count all messages by week',
    query: Query,
    element: WeekCount,
    read: (project, query) => readWeekCounts(messageRows(project, query, null)),
  }),
  figure({
    path: 'messages/aggregate/month',
    summary: 'Count all messages by month',
    query: Query,
    element: MonthCount,
    read: (project, query) => readMonthCounts(messageRows(project, query, null)),
  }),
  figure({
    path: 'messages/aggregate/sender',
    summary: 'Count the messages of the last 7 days by sender',
    query: DaysQuery,
    element: ValueCount('sender'),
    read: readSenderCounts,
  }),
  figure({
    path: 'requests/aggregate/attributes/_answerid',
    summary: 'Count the messages of the last 7 days by the bot answer that they contain',
    query: DaysQuery,
    element: ValueCount('_answerid'),
    read: (project, query) => {
      const answers = answerRows(project, query, { days: WEEK_DAYS, answer: null });
      return readValueCounts(answers, '_answerid', messageRows(project, query, WEEK_DAYS));
    },
  }),
];
