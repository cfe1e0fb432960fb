/** Computes figures from the records, with the date operators in MongoDB. */
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';

/** The records of a figure. */
export interface RawQuery {
  id_project: string;
  from: Date;
  to: Date;
  timezone: string;
  /** Further conditions. */
  filter?: Record<string, unknown>;
}

type Group = Record<string, unknown>;

const parts = (timezone: string) => ({
  year: { $year: { date: '$createdAt', timezone } },
  month: { $month: { date: '$createdAt', timezone } },
  day: { $dayOfMonth: { date: '$createdAt', timezone } },
  week: { $week: { date: '$createdAt', timezone } },
  hour: { $hour: { date: '$createdAt', timezone } },
  weekday: { $dayOfWeek: { date: '$createdAt', timezone } },
});

type Part = keyof ReturnType<typeof parts>;

const matchOf = ({ id_project, from, to, filter }: RawQuery) => ({
  id_project,
  createdAt: { $gte: from, $lt: to },
  ...filter,
});

const idOf = (timezone: string, names: Part[], more: Group = {}): Group => {
  const all = parts(timezone);
  return { ...Object.fromEntries(names.map((name) => [name, all[name]])), ...more };
};

/** Groups conversations, except preflight ones, by parts of their date. */
export const groupConversations = (
  query: RawQuery,
  names: Part[],
  { more, sums }: { more?: Group; sums?: Group } = {},
) =>
  Conversation.aggregate<Group>([
    { $match: { ...matchOf(query), preflight: { $ne: true } } },
    { $group: { _id: idOf(query.timezone, names, more), ...(sums ?? { count: { $sum: 1 } }) } },
  ] as never);

/** Groups messages by parts of their date. */
export const groupMessages = (query: RawQuery, names: Part[], more?: Group) =>
  Message.aggregate<Group>([
    { $match: matchOf(query) },
    { $group: { _id: idOf(query.timezone, names, more), count: { $sum: 1 } } },
  ] as never);

/** The means of conversations. */
export const MEANS: Group = {
  waiting_time_avg: { $avg: '$waiting_time' },
  duration_avg: { $avg: { $subtract: ['$closed_at', '$createdAt'] } },
  satisfaction_avg: { $avg: '$rating' },
};

/** The sorted durations of conversations. */
export const durations = async (query: RawQuery): Promise<number[]> => {
  const found = await Conversation.find({ ...matchOf(query), preflight: { $ne: true }, closed_at: { $exists: true } })
    .select({ closed_at: 1, createdAt: 1 })
    .lean();
  const values = found.map(({ closed_at, createdAt }) => (closed_at as Date).getTime() - createdAt.getTime());
  return values.toSorted((one, other) => one - other);
};
