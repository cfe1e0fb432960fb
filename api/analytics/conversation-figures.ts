/** Counts of conversations by time, status, bot and web page. */
import { byDay, byHour, byWeekdayHour } from '#shared/domain/analytics/buckets.ts';
import { calendarDay } from '#shared/domain/analytics/calendar.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import {
  BotDayCount,
  DayCount,
  HourCount,
  MonthCount,
  StatusCount,
  StatusDayCount,
  Total,
  ValueCount,
  WeekCount,
  WeekdayHourCount,
} from './elements.ts';
import { figure } from './figure.ts';
import { ConversationDaysQuery, ConversationsQuery, MONTH_DAYS, WEEK_DAYS } from './query-input.ts';
import {
  conversationRows,
  readDayCounts,
  readMonthCounts,
  readSums,
  readTotal,
  readValueCounts,
  readWeekCounts,
  sortedBuckets,
} from './read-figures.ts';

const HOURS_PER_DAY = 24;

const STATUS_NAMES = [
  ['assigned', CONVERSATION_STATUS.served],
  ['unassigned', CONVERSATION_STATUS.unserved],
  ['archived', CONVERSATION_STATUS.closed],
] as const;

const statusColumn = (status: number): string => `status${status}`;
const STATUSES: number[] = Object.values(CONVERSATION_STATUS);

export default [
  figure({
    path: 'requests/count',
    summary: 'Count the conversations of the last 30 days',
    query: ConversationsQuery,
    element: Total,
    read: (project, query) => readTotal(conversationRows(project, query, { days: MONTH_DAYS })),
  }),
  figure({
    path: 'requests/hasBot/count',
    summary: 'Count the conversations of the last 30 days in which a bot participates',
    query: ConversationsQuery,
    element: Total,
    read: (project, query) => readTotal(conversationRows(project, query, { days: MONTH_DAYS }), 'bots'),
  }),
  figure({
    path: 'requests/aggregate/status',
    summary: 'Count the assigned, unassigned and closed conversations of the last 30 days',
    query: ConversationsQuery,
    element: StatusCount,
    read: async (project, query) => {
      const columns = STATUS_NAMES.map(([, status]) => statusColumn(status));
      const sums = (await readSums(conversationRows(project, query, { days: MONTH_DAYS }), columns)) ?? {};
      return STATUS_NAMES.map(([_id, status]) => ({ _id, count: sums[statusColumn(status)] ?? 0 })).filter(
        ({ count }) => count,
      );
    },
  }),
  figure({
    path: 'requests/aggregate/status/day',
    summary: 'Count the conversations of the last 7 days by day and status',
    query: ConversationDaysQuery,
    element: StatusDayCount,
    read: async (project, query) => {
      const rows = conversationRows(project, query, { days: WEEK_DAYS });
      return (await sortedBuckets(rows, STATUSES.map(statusColumn), byDay)).flatMap(({ key, sums }) =>
        STATUSES.flatMap((status) => {
          const count = sums[statusColumn(status)];
          return count ? [{ _id: { ...calendarDay(key), status }, count }] : [];
        }),
      );
    },
  }),
  figure({
    path: 'requests/aggregate/day',
    summary: 'Count the conversations of the last 7 days by day',
    query: ConversationDaysQuery,
    element: DayCount,
    read: (project, query) => readDayCounts(conversationRows(project, query, { days: WEEK_DAYS })),
  }),
  figure({
    path: 'requests/aggregate/week',
    summary: 'Count all conversations by week',
    query: ConversationsQuery,
    element: WeekCount,
    read: (project, query) => readWeekCounts(conversationRows(project, query, { days: null })),
  }),
  figure({
    path: 'requests/aggregate/month',
    summary: 'Count all conversations by month',
    query: ConversationsQuery,
    element: MonthCount,
    read: (project, query) => readMonthCounts(conversationRows(project, query, { days: null })),
  }),
  figure({
    path: 'requests/aggregate/hours',
    summary: 'Count the conversations of the last 30 days by hour of the day, latest hour first',
    query: ConversationsQuery,
    element: HourCount,
    read: async (project, query) => {
      const hours = await sortedBuckets(conversationRows(project, query, { days: MONTH_DAYS }), ['count'], byHour);
      return hours.toReversed().map(({ key: hour, sums: { count = 0 } }) => ({ _id: { hour }, count }));
    },
  }),
  figure({
    path: 'requests/aggregate/dayoftheweek/hours',
    summary: 'Count the conversations of the last 30 days by weekday and hour, latest hour first',
    query: ConversationsQuery,
    element: WeekdayHourCount,
    read: async (project, query) => {
      const rows = conversationRows(project, query, { days: MONTH_DAYS });
      return (await sortedBuckets(rows, ['count'], byWeekdayHour))
        .map(({ key, sums: { count = 0 } }) => ({
          _id: { hour: key % HOURS_PER_DAY, weekday: Math.floor(key / HOURS_PER_DAY) + 1 },
          count,
        }))
        .toSorted(({ _id: one }, { _id: other }) => other.hour - one.hour || other.weekday - one.weekday);
    },
  }),
  figure({
    path: 'requests/aggregate/hasBot/day',
    summary: 'Count the conversations of the last 7 days by day and by whether a bot participates',
    query: ConversationDaysQuery,
    element: BotDayCount,
    read: async (project, query) => {
      const rows = conversationRows(project, query, { days: WEEK_DAYS });
      return (await sortedBuckets(rows, ['count', 'bots'], byDay)).flatMap(({ key, sums: { count = 0, bots = 0 } }) =>
        [
          { _id: { ...calendarDay(key), hasBot: false }, count: count - bots },
          { _id: { ...calendarDay(key), hasBot: true }, count: bots },
        ].filter((element) => element.count),
      );
    },
  }),
  figure({
    path: 'requests/aggregate/sourcePage',
    summary: 'Count the conversations of the last 30 days by the web page on which they began',
    query: ConversationDaysQuery,
    element: ValueCount('sourcePage'),
    read: (project, query) => {
      const days = MONTH_DAYS;
      const grouped = conversationRows(project, query, { days, group: 'sourcePage' });
      return readValueCounts(grouped, 'sourcePage', conversationRows(project, query, { days }));
    },
  }),
];
