/** Computes analytics figures from the records, with MongoDB's date operators. */
import { Conversation } from '#shared/models/conversation.ts';
import { Change } from '#shared/models/change.ts';

/** The records from which a figure is computed. */
export interface RawQuery {
  id_project: string;
  from: Date;
  to: Date;
  timezone: string;
  /** Additional conditions. */
  filter?: Record<string, unknown>;
}

type Group = Record<string, unknown>;

/** The parts of the local date of a record, as expressions. */
export const dateParts = (timezone: string) => ({
  year: { $year: { date: '$createdAt', timezone } },
  month: { $month: { date: '$createdAt', timezone } },
  day: { $dayOfMonth: { date: '$createdAt', timezone } },
  week: { $week: { date: '$createdAt', timezone } },
  hour: { $hour: { date: '$createdAt', timezone } },
  weekday: { $dayOfWeek: { date: '$createdAt', timezone } },
});

type Part = keyof ReturnType<typeof dateParts>;

/** The filter for the records of a query. */
export const matchOf = ({ id_project, from, to, filter }: RawQuery) => ({
  id_project,
  createdAt: { $gte: from, $lt: to },
  ...filter,
});

const idOf = (timezone: string, names: string[], more: Group = {}): Group => {
  const all = dateParts(timezone);
  return { ...Object.fromEntries(names.map((name) => [name, all[name as Part]])), ...more };
};

/** Groups conversations, except preflight ones, by parts of their date. */
export const groupConversations = (
  query: RawQuery,
  names: string[],
  { more, sums }: { more?: Group; sums?: Group } = {},
) =>
  Conversation.aggregate<Group>([
    { $match: { ...matchOf(query), preflight: { $ne: true } } },
    { $group: { _id: idOf(query.timezone, names, more), ...(sums ?? { count: { $sum: 1 } }) } },
  ] as never);

/** The mean waiting time, duration and rating of conversations. */
export const MEANS: Group = {
  waiting_time_avg: { $avg: '$waiting_time' },
  duration_avg: { $avg: { $subtract: ['$closed_at', '$createdAt'] } },
  satisfaction_avg: { $avg: '$rating' },
};

/** Groups the records of a model, such as visitors, by parts of their date. */
export const groupRecords = (
  model: { aggregate<T>(pipeline: never): Promise<T[]> },
  query: RawQuery,
  { names, more }: { names: string[]; more?: Group },
): Promise<Group[]> =>
  model.aggregate<Group>([
    { $match: matchOf(query) },
    { $group: { _id: idOf(query.timezone, names, more), count: { $sum: 1 } } },
  ] as never);

/** Counts the tags that events report as added, by day. */
export const groupAddedTags = (query: RawQuery): Promise<Group[]> =>
  Change.aggregate<Group>([
    { $match: matchOf({ ...query, filter: { event: 'request.tag.update' } }) },
    { $unwind: '$payload.tags' },
    {
      $group: {
        _id: idOf(query.timezone, ['year', 'month', 'day'], { tag: '$payload.tags.tag' }),
        count: { $sum: 1 },
      },
    },
  ] as never);
