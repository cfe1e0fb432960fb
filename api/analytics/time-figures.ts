/** Figures of waiting time, duration and satisfaction. */
import { DayMean, Mean, MonthMean, Percentiles } from './elements.ts';
import { figure } from './figure.ts';
import { conversationFilters, FigureQuery, lastDays, lastSeconds } from './query-input.ts';
import { conversationRows, readDayMeans, readMean, readMonthMeans, readPercentiles } from './read-figures.ts';

const Query = FigureQuery.extend(conversationFilters);
const DaysQuery = Query.extend(lastDays);

const MONTH_DAYS = 30;
const WEEK_DAYS = 7;

const waitingFigures = [
  figure({
    path: 'requests/waiting',
    summary: 'Get the mean waiting time of the last 30 days',
    query: Query.extend(lastSeconds),
    element: Mean('waiting_time_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: MONTH_DAYS }), 'waiting_time_avg'),
  }),
  figure({
    path: 'requests/waiting/day/last',
    summary: 'Get the mean waiting time of the last 24 hours',
    query: Query,
    element: Mean('waiting_time_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: 1 }), 'waiting_time_avg'),
  }),
  figure({
    path: 'requests/waiting/day',
    summary: 'Get the mean waiting time of the last days by day',
    query: DaysQuery,
    element: DayMean('waiting_time_avg'),
    read: (project, query) => readDayMeans(conversationRows(project, query, { days: WEEK_DAYS }), 'waiting_time_avg'),
  }),
  figure({
    path: 'requests/waiting/month',
    summary: 'Get the mean waiting time of all conversations by month',
    query: Query,
    element: MonthMean('waiting_time_avg'),
    read: (project, query) => readMonthMeans(conversationRows(project, query, { days: null }), 'waiting_time_avg'),
  }),
  figure({
    path: 'requests/waiting/percentiles',
    summary: 'Get percentiles of the waiting time of the last 30 days',
    query: DaysQuery,
    element: Percentiles,
    read: (project, query) => readPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), 'waiting'),
  }),
];

const durationFigures = [
  figure({
    path: 'requests/duration',
    summary: 'Get the median duration of the conversations of the last 30 days, at most 1 % off',
    query: Query,
    element: Mean('duration_avg'),
    read: async (project, query) => {
      const percentiles = await readPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), 'duration');
      return percentiles.map(({ _id, median }) => ({ _id, duration_avg: median }));
    },
  }),
  figure({
    path: 'requests/duration/day',
    summary: 'Get the mean duration of the conversations of the last days by day',
    query: DaysQuery,
    element: DayMean('duration_avg'),
    read: (project, query) => readDayMeans(conversationRows(project, query, { days: WEEK_DAYS }), 'duration_avg'),
  }),
  figure({
    path: 'requests/duration/month',
    summary: 'Get the mean duration of the conversations of the last 30 days by month',
    query: Query,
    element: MonthMean('duration_avg'),
    read: (project, query) => readMonthMeans(conversationRows(project, query, { days: MONTH_DAYS }), 'duration_avg'),
  }),
  figure({
    path: 'requests/duration/percentiles',
    summary: 'Get percentiles of the duration of the conversations of the last 30 days',
    query: DaysQuery,
    element: Percentiles,
    read: (project, query) => readPercentiles(conversationRows(project, query, { days: MONTH_DAYS }), 'duration'),
  }),
];

const satisfactionFigures = [
  figure({
    path: 'requests/satisfaction',
    summary: 'Get the mean rating of all conversations',
    query: Query,
    element: Mean('satisfaction_avg'),
    read: (project, query) => readMean(conversationRows(project, query, { days: null }), 'satisfaction_avg'),
  }),
  figure({
    path: 'requests/satisfaction/day',
    summary: 'Get the mean rating of the last days by day',
    query: DaysQuery,
    element: DayMean('satisfaction_avg'),
    read: (project, query) => readDayMeans(conversationRows(project, query, { days: WEEK_DAYS }), 'satisfaction_avg'),
  }),
  figure({
    path: 'requests/satisfaction/month',
    summary: 'Get the mean rating of all conversations by month',
    query: Query,
    element: MonthMean('satisfaction_avg'),
    read: (project, query) => readMonthMeans(conversationRows(project, query, { days: null }), 'satisfaction_avg'),
  }),
];

export default [...waitingFigures, ...durationFigures, ...satisfactionFigures];
