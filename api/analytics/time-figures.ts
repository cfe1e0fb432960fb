/** Figures for waiting time, duration and satisfaction. */
import { DayMean, DayPercentiles, Mean, type MeanName, MonthMean, Percentiles } from './elements.ts';
import { figure } from './figure.ts';
import { ConversationDaysQuery, ConversationsQuery, lastSeconds, MONTH_DAYS, WEEK_DAYS } from './query-input.ts';
import {
  conversationRows,
  type DefaultDays,
  readDayMeans,
  readDayPercentiles,
  readMean,
  readMonthMeans,
  readPercentiles,
} from './read-figures.ts';

/**
 * A value measured for each conversation: the path of its endpoints, the field that holds its means, and its name in
 * the summaries of the endpoints.
 */
interface MeanFigures {
  path: string;
  name: MeanName;
  what: string;
  /** The default period of the means by month. */
  monthDays: DefaultDays;
}

const meansByDayAndMonth = ({ path, name, what, monthDays }: MeanFigures) => [
  figure({
    path: `${path}/day`,
    summary: `Get the mean ${what} of the last 7 days by day`,
    query: ConversationDaysQuery,
    element: DayMean(name),
    read: (project, query) => readDayMeans(conversationRows(project, query, { days: WEEK_DAYS }), name),
  }),
  figure({
    path: `${path}/month`,
    summary: `Get the mean ${what} of ${monthDays === null ? 'all conversations' : 'the last 30 days'} by month`,
    query: ConversationsQuery,
    element: MonthMean(name),
    read: (project, query) => readMonthMeans(conversationRows(project, query, { days: monthDays }), name),
  }),
];

const percentiles = (name: 'waiting' | 'duration', what: string) => [
  figure({
    path: `requests/${name}/percentiles`,
    summary: `Get percentiles of the ${what} of the last 30 days`,
    query: ConversationDaysQuery,
    element: Percentiles,
    read: (project, query) => readPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), name),
  }),
  figure({
    path: `requests/${name}/percentiles/day`,
    summary: `Get percentiles of the ${what} of the last 30 days by day`,
    query: ConversationDaysQuery,
    element: DayPercentiles,
    read: (project, query) => readDayPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), name),
  }),
];

const WAITING = 'waiting time';
const DURATION = 'conversation duration';

export default [
  figure({
    path: 'requests/waiting',
    summary: 'Get the mean waiting time of the last 30 days',
    query: ConversationsQuery.extend(lastSeconds),
    element: Mean('waiting_time_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: MONTH_DAYS }), 'waiting_time_avg'),
  }),
  figure({
    path: 'requests/waiting/day/last',
    summary: 'Get the mean waiting time of the last 24 hours',
    query: ConversationsQuery,
    element: Mean('waiting_time_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: 1 }), 'waiting_time_avg'),
  }),
  ...meansByDayAndMonth({ path: 'requests/waiting', name: 'waiting_time_avg', what: WAITING, monthDays: null }),
  ...percentiles('waiting', WAITING),
  figure({
    path: 'requests/duration',
    summary: 'Get the median conversation duration of the last 30 days, with an error of at most 1%',
    query: ConversationsQuery,
    element: Mean('duration_avg'),
    read: async (project, query) => {
      const found = await readPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), 'duration');
      // Deployed clients read the median under this name.
      return found.map(({ _id, median }) => ({ _id, duration_avg: median }));
    },
  }),
  ...meansByDayAndMonth({ path: 'requests/duration', name: 'duration_avg', what: DURATION, monthDays: MONTH_DAYS }),
  ...percentiles('duration', DURATION),
  figure({
    path: 'requests/satisfaction',
    summary: 'Get the mean rating of all conversations',
    query: ConversationsQuery,
    element: Mean('satisfaction_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: null }), 'satisfaction_avg'),
  }),
  ...meansByDayAndMonth({ path: 'requests/satisfaction', name: 'satisfaction_avg', what: 'rating', monthDays: null }),
];
