/** Figures for visitors and custom events. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import { byDay } from '#shared/domain/analytics/buckets.ts';
import { calendarDay } from '#shared/domain/analytics/calendar.ts';
import { isTyping, TYPING_EVENT } from '#shared/domain/events/custom-event-names.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { DayCount, MonthCount, NamedDayCount, Total, WeekCount } from './elements.ts';
import { figure } from './figure.ts';
import { FigureQuery, lastDays, MONTH_DAYS, type PeriodQuery, periodOf, WEEK_DAYS, zoneOf } from './query-input.ts';
import {
  type DefaultDays,
  type FigureRows,
  readDayCounts,
  readMonthCounts,
  readTotal,
  readWeekCounts,
  sortedBuckets,
} from './read-figures.ts';

const DaysQuery = FigureQuery.extend(lastDays);
const EventsQuery = DaysQuery.extend({
  name: z
    .string()
    .max(INPUT_LIMITS.eventName)
    .optional()
    .meta({
      description: `Only events with this name; default: all but ${TYPING_EVENT}`,
    }),
});

const visitorRows = (id_project: string, query: PeriodQuery, days: DefaultDays): FigureRows => ({
  ...{ id_project, subject: 'project_users', series: 'project_users' },
  ...{ range: periodOf(query, days), zone: zoneOf(query) },
});

/** Selects the stored custom events, excluding expired ones. */
const eventRows = (id_project: string, query: PeriodQuery & { name?: string }): FigureRows => {
  const { from = 0, to } = periodOf(query, WEEK_DAYS);
  const oldest = currentTimeMs() - config.EVENT_TTL_SECONDS * 1000;
  return {
    ...{ id_project, subject: 'events', series: 'events.name', value: query.name ?? null },
    ...{ range: { from: Math.max(from, oldest), ...(to !== undefined && { to }) }, zone: zoneOf(query) },
  };
};

export default [
  figure({
    path: 'project_users/count',
    summary: 'Count the new visitors of the last 30 days',
    query: FigureQuery,
    element: Total,
    read: (project, query) => readTotal(visitorRows(project, query, MONTH_DAYS)),
  }),
  figure({
    path: 'project_users/aggregate/day',
    summary: 'Count the new visitors of the last 7 days by day',
    query: DaysQuery,
    element: DayCount,
    read: (project, query) => readDayCounts(visitorRows(project, query, WEEK_DAYS)),
  }),
  figure({
    path: 'project_users/aggregate/week',
    summary: 'Count all visitors by the week of their first visit',
    query: FigureQuery,
    element: WeekCount,
    read: (project, query) => readWeekCounts(visitorRows(project, query, null)),
  }),
  figure({
    path: 'project_users/aggregate/month',
    summary: 'Count all visitors by the month of their first visit',
    query: FigureQuery,
    element: MonthCount,
    read: (project, query) => readMonthCounts(visitorRows(project, query, null)),
  }),
  figure({
    path: 'events/aggregate/day',
    summary: 'Count the stored custom events of the last 7 days by day and name',
    query: EventsQuery,
    element: NamedDayCount,
    read: async (project, query) =>
      (await sortedBuckets(eventRows(project, query), ['count'], byDay)).flatMap(
        ({ key, value: name = '', sums: { count = 0 } }) =>
          isTyping(name) && query.name === undefined ? [] : [{ _id: { ...calendarDay(key), name }, count }],
      ),
  }),
];
