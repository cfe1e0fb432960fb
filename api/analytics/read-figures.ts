/** Reads figures from the rollups in the form that the endpoints return. */
import {
  type Bucket,
  type Bucketing,
  byDay,
  byMonth,
  byWeek,
  type Sums,
  sumBuckets,
  whole,
} from '#shared/domain/analytics/buckets.ts';
import { calendarDay, weekOf } from '#shared/domain/analytics/calendar.ts';
import { readDayQuantiles, readQuantiles } from '#shared/domain/analytics/quantiles.ts';
import type { SeriesQuery } from '#shared/domain/analytics/read-rollups.ts';
import { RATING_UNIT, seriesName } from '#shared/domain/analytics/series.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import type { MeanName } from './elements.ts';
import { type PeriodQuery, periodOf, zoneOf } from './query-input.ts';

/** The length of a figure's default period in days; null for the whole history. */
export type DefaultDays = number | null;

/** The rollups to read, and the time zone of the days, weeks and months by which they are summed. */
export interface FigureRows extends SeriesQuery {
  zone: string;
}

/** The filters for conversations in a query. */
interface ConversationQuery extends PeriodQuery {
  department_id?: string;
  participant?: string;
  channel?: string;
}

/** Selects the conversations of a query; `group` divides them by a field. */
export const conversationRows = (
  id_project: string,
  query: ConversationQuery,
  { days, group }: { days: DefaultDays; group?: string },
): FigureRows => {
  const { department_id: department, participant, channel } = query;
  const subject = group ? `requests.${group}` : 'requests';
  return {
    ...{ id_project, subject: 'requests', series: seriesName(subject, { department, participant, channel }) },
    ...(group && { value: null }),
    ...{ range: periodOf(query, days), zone: zoneOf(query) },
  };
};

const sumsBy = (rows: FigureRows, columns: string[], bucketing: Bucketing): Promise<Bucket[]> =>
  sumBuckets(rows, { columns, zone: rows.zone, bucketing });

/** Returns the buckets (sums, for example per day) in the order of their keys. */
export const sortedBuckets = async (rows: FigureRows, columns: string[], bucketing: Bucketing): Promise<Bucket[]> =>
  (await sumsBy(rows, columns, bucketing)).toSorted((one, other) => one.key - other.key);

/** Sums columns over the whole period; null if there are no records. */
export const readSums = async (rows: FigureRows, columns: string[]): Promise<Sums | null> =>
  (await sumsBy(rows, columns, whole))[0]?.sums ?? null;

const isCounted = (count: number | undefined): count is number => count !== undefined && count > 0;

/** Returns the sum of a column as a total; an empty array if the sum is zero. */
export const readTotal = async (rows: FigureRows, column = 'count'): Promise<{ totalCount: number }[]> => {
  const totalCount = (await readSums(rows, [column]))?.[column];
  return isCounted(totalCount) ? [{ totalCount }] : [];
};

const countBy = async <Identity extends object>(
  rows: FigureRows,
  bucketing: Bucketing,
  identify: (firstDay: number) => Identity,
) => {
  const buckets = await sortedBuckets(rows, ['count'], bucketing);
  return buckets.map(({ key, sums: { count = 0 } }) => ({ _id: identify(key), count }));
};

const monthOf = (day: number) => {
  const { year, month } = calendarDay(day);
  return { year, month };
};

/** Returns the counts by day, oldest first. */
export const readDayCounts = (rows: FigureRows) => countBy(rows, byDay, calendarDay);
/** Returns the counts by month, oldest first. */
export const readMonthCounts = (rows: FigureRows) => countBy(rows, byMonth, monthOf);
/** Returns the counts by week, oldest first. A week that spans two months has two elements. */
export const readWeekCounts = (rows: FigureRows) =>
  countBy(rows, byWeek, (day) => ({ ...monthOf(day), week: weekOf(day) }));

const compareTexts = (one: string | undefined, other: string | undefined): number =>
  one === other ? 0 : one === undefined || (other !== undefined && one < other) ? -1 : 1;

/**
 * Returns the counts by value, ordered by value. `all` selects the records with and without a value; the first element
 * counts those without one, if there are any.
 */
export const readValueCounts = async <Name extends string>(grouped: FigureRows, name: Name, all?: FigureRows) => {
  const [buckets, total] = await Promise.all([
    sumsBy(grouped, ['count'], whole),
    all ? readSums(all, ['count']) : null,
  ]);
  const counted = buckets.map(({ value, sums: { count = 0 } }) => ({ value, count }));
  const rest = (total?.count ?? 0) - counted.reduce((sum, { count }) => sum + count, 0);
  return [...(rest > 0 ? [{ value: undefined, count: rest }] : []), ...counted]
    .toSorted((one, other) => compareTexts(one.value, other.value))
    .map(({ value, count }) => ({
      _id: (value === undefined ? {} : { [name]: value }) as { [N in Name]?: string },
      count,
    }));
};

const MEAN_COLUMNS: Record<MeanName, { columns: string; unit: number }> = {
  waiting_time_avg: { columns: 'waiting', unit: 1 },
  duration_avg: { columns: 'duration', unit: 1 },
  satisfaction_avg: { columns: 'rating', unit: RATING_UNIT },
};

const columnsFor = (name: MeanName): string[] => {
  const { columns } = MEAN_COLUMNS[name];
  return ['count', `${columns}Sum`, `${columns}Count`];
};

const meanOf = (sums: Sums, name: MeanName): number | null => {
  const { columns, unit } = MEAN_COLUMNS[name];
  const count = sums[`${columns}Count`];
  return isCounted(count) ? (sums[`${columns}Sum`] ?? 0) / count / unit : null;
};

const withMean = <Name extends MeanName, Id>(_id: Id, name: Name, value: number | null) =>
  ({ _id, [name]: value }) as { _id: Id } & { [N in Name]: number | null };

/** Returns the mean over the period; an empty array if it has no conversations. */
export const readMean = async <Name extends MeanName>(rows: FigureRows, name: Name) => {
  const sums = await readSums(rows, columnsFor(name));
  return isCounted(sums?.count) && sums ? [withMean(rows.id_project, name, meanOf(sums, name))] : [];
};

/**
 * Returns the number of conversations in a series, how many of them have a bot, and their mean waiting time, duration
 * and rating; null if there are no conversations.
 */
export const readGroup = async (rows: FigureRows) => {
  const names = Object.keys(MEAN_COLUMNS) as MeanName[];
  const sums = await readSums(rows, [...new Set(['bots', ...names.flatMap(columnsFor)])]);
  if (!sums || !isCounted(sums.count)) return null;
  const means = Object.fromEntries(names.map((name) => [name, meanOf(sums, name)])) as Record<MeanName, number | null>;
  return { count: sums.count, bots: sums.bots ?? 0, ...means };
};

/** Compares two dates field by field, for the descending order that deployed clients expect. */
const descending = <Identity extends Record<string, number>>(one: Identity, other: Identity): number =>
  Object.keys(one)
    .map((field) => (other[field] ?? 0) - (one[field] ?? 0))
    .find(Boolean) ?? 0;

const meansBy = async <Name extends MeanName, Identity extends Record<string, number>>(
  rows: FigureRows,
  name: Name,
  { bucketing, identify }: { bucketing: Bucketing; identify: (firstDay: number) => Identity },
) => {
  const buckets = await sortedBuckets(rows, columnsFor(name), bucketing);
  return buckets
    .map(({ key, sums }) => ({ _id: identify(key), sums }))
    .toSorted(({ _id: one }, { _id: other }) => descending(one, other))
    .map(({ _id, sums }) => withMean(_id, name, meanOf(sums, name)));
};

const dayFirst = (dayNumber: number) => {
  const { day, month, year } = calendarDay(dayNumber);
  return { day, month, year };
};

const monthFirst = (dayNumber: number) => {
  const { month, year } = calendarDay(dayNumber);
  return { month, year };
};

/** Returns the means by day, in descending order of day of the month, month and year. */
export const readDayMeans = <Name extends MeanName>(rows: FigureRows, name: Name) =>
  meansBy(rows, name, { bucketing: byDay, identify: dayFirst });
/** Returns the means by month, in descending order of month and year. */
export const readMonthMeans = <Name extends MeanName>(rows: FigureRows, name: Name) =>
  meansBy(rows, name, { bucketing: byMonth, identify: monthFirst });

const PERCENTILES = [0.5, 0.9, 0.99];

/** Returns percentiles of a duration over the period; an empty array if it has no conversations. */
export const readPercentiles = async (rows: FigureRows, name: 'waiting' | 'duration') => {
  const [sums, [median = null, p90 = null, p99 = null]] = await Promise.all([
    readSums(rows, ['count', `${name}Count`]),
    readQuantiles(rows, name, PERCENTILES),
  ]);
  if (!sums || !isCounted(sums.count)) return [];
  return [{ _id: rows.id_project, count: sums[`${name}Count`] ?? 0, median, p90, p99 }];
};

/** Returns percentiles of a duration by day, oldest first. Omits days without a measured duration. */
export const readDayPercentiles = async (rows: FigureRows, name: 'waiting' | 'duration') => {
  const days = await readDayQuantiles(rows, name, PERCENTILES);
  return days.map(({ day, count, values: [median = null, p90 = null, p99 = null] }) => ({
    ...{ _id: calendarDay(day), count, median, p90, p99 },
  }));
};

const CURRENT_HOURS_MS = 4 * 3_600_000;

/** Returns the mean waiting time of the conversations of the last four hours, including preflight ones. */
export const readCurrentWaiting = async (id_project: string) => {
  const range = { from: currentTimeMs() - CURRENT_HOURS_MS };
  const columns = columnsFor('waiting_time_avg');
  const [regular, preflight] = await Promise.all(
    ['requests', 'requests.preflight'].map((series) =>
      readSums({ id_project, subject: 'requests', series, range, zone: 'UTC' }, columns),
    ),
  );
  const sums = Object.fromEntries(columns.map((name) => [name, (regular?.[name] ?? 0) + (preflight?.[name] ?? 0)]));
  return sums.count ? [withMean(id_project, 'waiting_time_avg' as const, meanOf(sums, 'waiting_time_avg'))] : [];
};
