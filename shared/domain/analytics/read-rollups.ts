/**
 * Reads sums from the rollups. If a range begins or ends within a quarter hour, its part of this quarter hour is read
 * from the contributions of the records.
 */
import { readDocuments } from '../../database/raw-documents.ts';
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { AnalyticsRollup } from '../../models/analytics-rollup.ts';
import type { Contribution } from './contributions.ts';
import { blockOf, totalsSeries } from './day-totals.ts';
import { dayOf, QUARTER_MS, QUARTERS_PER_DAY } from './quarter-hours.ts';
import type { RollupRow } from './row-changes.ts';
import { additionsTo, type Subject } from './series.ts';
import { sumRanges, visitVector } from './sparse-vector.ts';

/**
 * A range of epoch milliseconds, from `from` (inclusive) to `to` (exclusive). A missing bound sets no limit.
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
  /** If the series is grouped by a field, such as the sender: the value of that field, or `null` for all its values. */
  value?: string | null;
  /**
   * Restricts the query to the messages of this conversation (`request_id`). Their contributions are read, because no
   * series has the sums of a single conversation.
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

/** The days whose rows are read: a range, with both ends included, or a list. */
type Days = { first: number; last: number } | { listed: number[] };

const dayFilter = (days: Days): object => {
  if ('listed' in days) return { day: { $in: days.listed } };
  const { first, last } = days;
  const range = { ...(first > -Infinity && { $gte: first }), ...(last < Infinity && { $lte: last }) };
  return Object.keys(range).length ? { day: range } : {};
};

/** Reads the given columns of the rows of some days. */
export const readDays = async (
  { id_project, series, value }: Omit<SeriesQuery, 'range'>,
  { columns, ...days }: Days & { columns: string[] },
): Promise<RollupRow[]> => {
  const filter = { id_project, series, ...valueFilter(value), ...dayFilter(days) };
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
  const additions = additionsTo(series, subject);
  for await (const { facts } of readDocuments<Contribution>(AnalyticsContribution, records, { fields: ['facts'] }))
    for (const { sums, ...row } of additions(facts)) {
      if (value != null && value !== row.value) continue;
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

/**
 * Restricts ranges of a day's quarter hours, given by their exclusive ends, to the quarter hours from `first` to `end`.
 */
const clipRanges = (ends: number[], first: number, end: number): number[] => {
  if (first <= 0 && end >= QUARTERS_PER_DAY) return ends;
  return [first, ...ends.filter((each) => each > first && each < end), end, Infinity];
};

/** Visits the columns of rows from the quarter hour `first` (inclusive) to `end` (exclusive). */
const visitRows = (
  rows: RollupRow[],
  { first, end }: { first: number; end: number },
  { visitColumn, endsOf }: SumVisitor,
): void => {
  for (const { value, day, columns } of rows) {
    const [firstIndex, endIndex] = [first - day * QUARTERS_PER_DAY, end - day * QUARTERS_PER_DAY];
    const ends = clipRanges(endsOf(day), firstIndex, endIndex);
    for (const [column, bytes] of Object.entries(columns ?? {})) {
      const visit = visitColumn({ value, day, column });
      sumRanges(bytes, ends, (index, sum) => {
        if (index >= firstIndex && index < endIndex) visit(index, sum);
      });
    }
  }
};

/** Visits the quarter hours from `first` (inclusive) to `end` (exclusive). */
const visitQuarters = async (
  query: SeriesQuery,
  { columns, first, end }: { columns: string[]; first: number; end: number },
  visitor: SumVisitor,
): Promise<void> => {
  if (end <= first) return;
  const rows = await readDays(query, { first: dayOf(first), last: dayOf(end - 1), columns });
  visitRows(rows, { first, end }, visitor);
};

/** The callbacks of `visitSums`. */
interface SumVisitor {
  visitColumn: VisitColumn;
  /** Divides the quarter hours of a UTC day into ranges, each visited as one sum; returns their exclusive ends. */
  endsOf(day: number): number[];
  /** If present, the totals of whole days are visited instead of their quarter hours. */
  totals?: TotalsVisitor;
}

/** The callbacks of `visitSums` for the totals of days. */
interface TotalsVisitor {
  /** Whether the total of a UTC day can be visited. Otherwise, its quarter hours are visited. */
  isWhole(day: number): boolean;
  /** Returns a function that is called with each day and its total. */
  visitColumn(column: { value?: string; column: string }): (day: number, amount: number) => void;
}

/** Visits the totals of the whole days of a range, and the quarter hours of days that must be divided. */
const visitWholeDays = async (
  query: SeriesQuery,
  { columns, firstDay, lastDay }: { columns: string[]; firstDay: number; lastDay: number },
  { totals, ...visitor }: SumVisitor & { totals: TotalsVisitor },
): Promise<void> => {
  if (lastDay < firstDay) return;
  const blocks = { first: blockOf(firstDay), last: blockOf(lastDay), columns };
  const divided = new Set<number>();
  for (const row of await readDays({ ...query, series: totalsSeries(query.series) }, blocks))
    for (const [column, bytes] of Object.entries(row.columns ?? {})) {
      const visit = totals.visitColumn({ value: row.value, column });
      visitVector(bytes, (index, amount) => {
        const day = row.day + index;
        if (day < firstDay || day > lastDay) return;
        if (totals.isWhole(day)) visit(day, amount);
        else divided.add(day);
      });
    }
  if (!divided.size) return;
  const rows = await readDays(query, { listed: [...divided], columns });
  visitRows(rows, { first: -Infinity, end: Infinity }, visitor);
};

/**
 * Visits the sums of the given columns in a range, by ranges of quarter hours. With `totals`, visits the totals of the
 * days for which `isWhole` returns true.
 */
export const visitSums = async (query: SeriesQuery, columns: string[], visitor: SumVisitor): Promise<void> => {
  const { visitColumn, totals } = visitor;
  if (query.conversation !== undefined) return visitConversation(query, columns, visitColumn);
  const { first, end } = splitRange(query.range);
  const { partial, edges, ...days } = splitDays(query.range);
  const parts: [number, number][] = totals ? partial : [[first, end]];
  await Promise.all([
    totals && visitWholeDays(query, { columns, ...days }, { ...visitor, totals }),
    ...parts.map(([from, to]) => visitQuarters(query, { columns, first: from, end: to }, visitor)),
    visitEdges(query, { edges, columns }, visitColumn),
  ]);
};
