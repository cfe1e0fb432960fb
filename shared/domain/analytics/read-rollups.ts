/**
 * Reads sums from the rollups. If a range begins or ends within a quarter hour, that part is read from the
 * contributions of the records.
 */
import { readDocuments } from '../../database/raw-documents.ts';
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { AnalyticsRollup } from '../../models/analytics-rollup.ts';
import type { Contribution } from './contributions.ts';
import { dayOf, QUARTER_MS, QUARTERS_PER_DAY } from './quarter-hours.ts';
import type { RollupRow } from './row-changes.ts';
import { additionsOf, type Subject } from './series.ts';
import { visitVector } from './sparse-vector.ts';

/**
 * A range of epoch milliseconds, from `from` (inclusive) to `to` (exclusive). Without a bound, the range is open-ended.
 */
export interface TimeRange {
  from?: number;
  to?: number;
}

/** The rows to read. */
export interface SeriesQuery {
  id_project: string;
  subject: Subject;
  series: string;
  /** The value of a grouped series, or `null` for all its values. Absent for a series that is not grouped. */
  value?: string | null;
  /**
   * Restricts the query to the messages of this conversation (`request_id`); their contributions are read one by one.
   */
  conversation?: string;
  range: TimeRange;
}

/**
 * Called with a column of a row or of a contribution. Returns a function that is called with the index and amount of
 * each quarter hour or bin in the column.
 */
export type VisitColumn = (column: {
  value?: string;
  day: number;
  column: string;
}) => (index: number, amount: number) => void;

/** A time range, split into whole quarter hours and the parts before and after them. */
interface SplitRange {
  first: number;
  /** Exclusive. */
  end: number;
  edges: Required<TimeRange>[];
}

const splitRange = ({ from, to }: TimeRange): SplitRange => {
  const first = from === undefined ? -Infinity : Math.ceil(from / QUARTER_MS);
  const end = to === undefined ? Infinity : Math.floor(to / QUARTER_MS);
  if (from !== undefined && to !== undefined && end < first) return { first, end, edges: [{ from, to }] };
  const edges = [
    ...(from === undefined ? [] : [{ from, to: first * QUARTER_MS }]),
    ...(to === undefined ? [] : [{ from: end * QUARTER_MS, to }]),
  ];
  return { first, end, edges: edges.filter((edge) => edge.from < edge.to) };
};

/** In a `SeriesQuery`, `null` means every value; in a MongoDB filter, it means no value. */
const valueFilter = (value: string | null | undefined) => {
  if (value === undefined) return { value: null };
  return value === null ? { value: { $exists: true } } : { value };
};

/** Reads the given columns of the rows from day `first` to day `last` (inclusive). */
export const readDays = async (
  { id_project, series, value }: Omit<SeriesQuery, 'range'>,
  { first, last, columns }: { first: number; last: number; columns: string[] },
): Promise<RollupRow[]> => {
  const days = { ...(first > -Infinity && { $gte: first }), ...(last < Infinity && { $lte: last }) };
  const filter = { id_project, series, ...valueFilter(value), ...(Object.keys(days).length && { day: days }) };
  const fields = ['value', 'day', ...columns.map((name) => `columns.${name}`)];
  return await readDocuments<RollupRow>(AnalyticsRollup, filter, { fields }).toArray();
};

/** Visits the contributions of the matching records to a series. */
const visitContributions = async (
  { id_project, subject, series, value }: Omit<SeriesQuery, 'range'>,
  { filter, columns }: { filter: object; columns: string[] },
  visitColumn: VisitColumn,
): Promise<void> => {
  const records = { id_project, subject, ...filter };
  for await (const { facts } of readDocuments<Contribution>(AnalyticsContribution, records, { fields: ['facts'] }))
    for (const { sums, ...row } of additionsOf(subject, facts)) {
      if (row.series !== series || (value != null && value !== row.value)) continue;
      for (const [column, index, amount] of sums)
        if (columns.includes(column)) visitColumn({ value: row.value, day: row.day, column })(index, amount);
    }
};

/** Visits the contributions of the records in the parts of quarter hours at the edges of a range. */
export const visitEdges = async (
  query: Omit<SeriesQuery, 'range'>,
  { edges, columns }: { edges: Required<TimeRange>[]; columns: string[] },
  visitColumn: VisitColumn,
): Promise<void> => {
  if (!edges.length) return;
  const times = edges.map(({ from, to }) => ({ createdAt: { $gte: new Date(from), $lt: new Date(to) } }));
  await visitContributions(query, { filter: { $or: times }, columns }, visitColumn);
};

const visitConversation = (query: SeriesQuery, columns: string[], visitColumn: VisitColumn): Promise<void> => {
  const { conversation, range } = query;
  const times = {
    ...(range.from !== undefined && { $gte: new Date(range.from) }),
    ...(range.to !== undefined && { $lt: new Date(range.to) }),
  };
  const filter = { conversation, ...(Object.keys(times).length && { createdAt: times }) };
  return visitContributions(query, { filter, columns }, visitColumn);
};

/** Visits the sums of the given columns in each quarter hour of a range. */
export const visitQuarters = async (query: SeriesQuery, columns: string[], visitColumn: VisitColumn): Promise<void> => {
  if (query.conversation !== undefined) return visitConversation(query, columns, visitColumn);
  const { first, end, edges } = splitRange(query.range);
  const visitRows = async (): Promise<void> => {
    if (end <= first) return;
    for (const row of await readDays(query, { first: dayOf(first), last: dayOf(end - 1), columns })) {
      const { value, day } = row;
      const [firstIndex, endIndex] = [first - day * QUARTERS_PER_DAY, end - day * QUARTERS_PER_DAY];
      for (const [column, bytes] of Object.entries(row.columns ?? {})) {
        const visit = visitColumn({ value, day, column });
        visitVector(bytes, (index, amount) => {
          if (index >= firstIndex && index < endIndex) visit(index, amount);
        });
      }
    }
  };
  await Promise.all([visitRows(), visitEdges(query, { edges, columns }, visitColumn)]);
};

/** A time range, split into whole days, single quarter hours and parts of quarter hours. */
export interface DaySplit {
  firstDay: number;
  lastDay: number;
  /** The quarter hours before and after the whole days. `end` is exclusive. */
  partial: [first: number, end: number][];
  edges: Required<TimeRange>[];
}

/** Splits a range into whole days, quarter hours and the rest. */
export const splitDays = (range: TimeRange): DaySplit => {
  const { first, end, edges } = splitRange(range);
  const firstDay = Math.ceil(first / QUARTERS_PER_DAY);
  const endDay = Math.floor(end / QUARTERS_PER_DAY);
  if (endDay < firstDay) return { firstDay: 0, lastDay: -1, partial: first < end ? [[first, end]] : [], edges };
  const partial: [number, number][] = [
    [first, firstDay * QUARTERS_PER_DAY],
    [endDay * QUARTERS_PER_DAY, end],
  ];
  return { firstDay, lastDay: endDay - 1, partial: partial.filter(([from, to]) => from < to), edges };
};
